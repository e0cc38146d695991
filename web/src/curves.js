// Curves over time that follow the play head; dragging over one moves it.
import { el, say, sharp, size, watch } from "./dom.js";
import { short, tick, ticks } from "./math.js";
import { dark, ink, series } from "./theme.js";

export class Curves {
  constructor(place, { title, unit, t, values, columns, names, onTime, onName, ghost, other }) {
    Object.assign(this, { title, t, values, columns, names, unit, onTime, onName, time: t[0], chosen: -1 });
    this.ghost = ghost?.[other] ? { t: ghost.t, values: ghost[other] } : null; // the same curves of a second run
    this.figure = el("figcaption", {}, el("b", { text: title }), el("span", { text: ` ${unit}` }), (this.now = el("output")));
    this.canvas = el("canvas", { class: "curve", role: "img", "aria-label": `${title} over time` });
    this.over = el("div", { class: "over", hidden: true });
    place.append(el("figure", {}, this.figure, this.canvas, this.over, this.key()));
    this.picture = document.createElement("canvas");
    watch(this.canvas, () => this.at && this.draw(this.time, this.at));
    let [low, high] = [Infinity, -Infinity];
    for (const all of [values, this.ghost?.values ?? []]) {
      for (const x of all) {
        if (x < low) low = x;
        if (x > high) high = x;
      }
    }
    const most = Math.max(Math.abs(low), Math.abs(high));
    const flat = high - low < Math.max(1e-6 * most, 1e-9); // less than that is rounding, and drawn as a flat line
    const room = flat ? (most > 1e-9 ? 0.1 * most : 1) : 0.06 * (high - low);
    [this.low, this.high] = [low - room, high + room];
    const drag = (event) => {
      if (event.buttons !== 1 && event.type !== "pointerdown") return;
      const box = this.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - this.left) / (box.width - this.left - 14);
      onTime(t[0] + Math.min(1, Math.max(0, share)) * (t[t.length - 1] - t[0]));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      drag(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      drag(event);
      this.hover(event);
    });
    this.canvas.addEventListener("pointerleave", () => (this.over.hidden = true));
  }

  /** Which colour is which; a click chooses one. */
  key() {
    if (this.columns === 1) return null;
    this.entries = this.names.slice(0, 18).map((name, c) => {
      const line = el("i");
      return el("button", { type: "button", "aria-pressed": "false", onclick: () => this.onName?.(c) }, line, el("bdi", { text: name }));
    });
    const more = this.names.length - this.entries.length;
    return el("div", { class: "key", role: "group", "aria-label": `${this.title}: curves` }, ...this.entries, more > 0 ? el("span", { text: `and ${more} more` }) : null);
  }

  /** The values under the pointer. */
  hover(event) {
    if (!this.map) return;
    const box = this.canvas.getBoundingClientRect();
    const { w } = size(this.canvas);
    const share = Math.min(1, Math.max(0, (event.clientX - box.left - this.left) / (box.width - this.left - 14)));
    const time = this.t[0] + share * (this.t[this.t.length - 1] - this.t[0]);
    const near = nearest(this.t, time);
    const columns = this.chosen >= 0 && this.columns > 1 ? [this.chosen] : Array.from({ length: Math.min(8, this.columns) }, (_, c) => c);
    const rows = columns.map((c) => el("div", {}, el("bdi", { text: this.names[c] || this.title }), el("span", { text: short(this.values[near * this.columns + c], 4) })));
    if (this.columns > 8 && this.chosen < 0) rows.push(el("div", { text: `and ${this.columns - 8} more: choose a joint` }));
    this.over.replaceChildren(el("div", {}, el("b", { text: `${plain(this.t[near])} s` }), el("span", { text: this.unit })), ...rows);
    this.over.hidden = false;
    const x = event.clientX - box.left;
    this.over.style.left = `${x > w / 2 ? 0 : x + 14}px`;
    this.over.style.left = x > w / 2 ? `${Math.max(0, x - 14 - this.over.offsetWidth)}px` : `${x + 14}px`;
    this.over.style.bottom = "30px";
  }

  left = 46; // room for the longest tick

  /** Everything but the play head, kept as a picture. */
  plot() {
    const { w, h } = size(this.canvas);
    const of = `${w} ${h} ${this.chosen} ${dark()} ${window.devicePixelRatio}`;
    if (this.of === of || !w || !h) return;
    this.of = of;
    const { pen } = sharp(this.picture, { w, h });
    const { t, values, columns, low, high } = this;
    const rungs = ticks(low, high, Math.max(2, Math.floor(h / 34)));
    const texts = rungs.map((v) => tick(v, rungs.length > 1 ? rungs[1] - rungs[0] : high - low, Math.max(-low, high)));
    pen.font = `10px ${ink("--sans")}`;
    this.left = Math.max(46, ...texts.map((text) => Math.ceil(pen.measureText(text).width) + 12));
    const left = this.left;
    this.texts = texts;
    const [right, top, bottom] = [w - 14, 6, h - 18];
    const x = (s) => left + ((s - t[0]) / (t[t.length - 1] - t[0])) * (right - left);
    const y = (v) => bottom - ((v - low) / (high - low)) * (bottom - top);
    pen.fillStyle = ink("--faint");
    pen.strokeStyle = ink("--line");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    rungs.forEach((v, k) => {
      pen.fillText(texts[k], left - 6, y(v));
      line(pen, left, Math.round(y(v)) + 0.5, right, Math.round(y(v)) + 0.5);
    });
    pen.textAlign = "center";
    for (const s of ticks(t[0], t[t.length - 1], Math.max(2, Math.floor(w / 80)))) pen.fillText(plain(s), x(s), h - 8);
    const many = columns > 18;
    this.entries?.forEach((entry, c) => {
      const { color, dash } = series(c);
      entry.firstChild.style.background = dash.length ? `repeating-linear-gradient(90deg, ${color} 0 ${dash[0]}px, transparent ${dash[0]}px ${dash[0] + dash[1]}px)` : color;
      entry.setAttribute("aria-pressed", String(this.chosen === c));
    });
    if (this.ghost) this.faint(pen, x, y);
    for (let c = 0; c < columns; c++) {
      const { color, dash } = series(c);
      const dim = this.chosen >= 0 && this.chosen !== c;
      pen.strokeStyle = color;
      pen.globalAlpha = dim ? 0.18 : many && this.chosen < 0 ? 0.55 : 1;
      pen.lineWidth = this.chosen === c ? 2.4 : many ? 1 : 1.5;
      pen.setLineDash(dash);
      pen.beginPath();
      const step = Math.max(1, Math.floor(t.length / (2 * (right - left))));
      for (let k = 0; k < t.length; k += step) pen.lineTo(x(t[k]), y(values[k * columns + c]));
      pen.lineTo(x(t[t.length - 1]), y(values[(t.length - 1) * columns + c]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
    pen.setLineDash([]);
    this.map = { x, y, top, bottom };
  }

  /** The second run's curves. */
  faint(pen, x, y) {
    const { t, values } = this.ghost;
    const last = this.t[this.t.length - 1];
    for (let c = 0; c < this.columns; c++) {
      if (this.chosen >= 0 && this.chosen !== c) continue;
      pen.strokeStyle = series(c).color;
      pen.globalAlpha = 0.4;
      pen.lineWidth = 1;
      pen.setLineDash([1, 3]);
      pen.beginPath();
      for (let k = 0; k < t.length && t[k] <= last; k++) pen.lineTo(x(t[k]), y(values[k * this.columns + c]));
      pen.stroke();
    }
  }

  draw(time, at) {
    Object.assign(this, { time, at });
    this.plot();
    if (!this.map) return;
    const { pen, w, h } = sharp(this.canvas);
    pen.drawImage(this.picture, 0, 0, w, h);
    const { x, y, top, bottom } = this.map;
    pen.strokeStyle = ink("--ink");
    pen.globalAlpha = 0.65;
    pen.lineWidth = 1;
    line(pen, x(time), top, x(time), bottom);
    pen.globalAlpha = 1;
    const only = this.columns === 1 ? 0 : this.chosen;
    const interpolated = (c) => at.a * this.values[at.k * this.columns + c] + at.b * this.values[(at.k + 1) * this.columns + c];
    for (let c = 0; c < this.columns && this.columns <= 18; c++) {
      if (only >= 0 && c !== only) continue;
      pen.fillStyle = series(c).color;
      pen.beginPath();
      pen.arc(x(time), y(interpolated(c)), 3, 0, 7);
      pen.fill();
    }
    say(this.now, only >= 0 ? `${this.names[only] ? `${this.names[only]} ` : ""}${short(interpolated(only), 4)}` : "");
  }
}

/** The sample nearest to a time. */
function nearest(t, time) {
  let [low, high] = [0, t.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle;
  }
  return time - t[low] < t[high] - time ? low : high;
}

/** A time as it is said. */
const plain = (x) => (Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-4) ? x.toExponential(1) : String(Number(x.toPrecision(4)))).replaceAll("-", "−");

function line(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}
