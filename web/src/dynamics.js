// M, its factors U and D, and the torques that hold the robot still, live.
import { data } from "./data.js";
import { $, el, say, sharp, watch } from "./dom.js";
import { fixed, rollPitchYaw, short } from "./math.js";
import { factors, gravity, has, linkPose, mass, state } from "./state.js";
import { heat, ink, signed } from "./theme.js";

const n = data.n;
const TABLE = 9; // joints up to which the numbers of a matrix fit side by side; more are a picture
const names = new Array(n);
for (const j of data.joints) for (let k = 0; k < j.nv; k++) names[j.iv + k] = j.nv > 1 ? `${j.name} (${k + 1})` : j.name;
const power = (x, most) => (most > 0 ? Math.sign(x) * (Math.abs(x) / most) ** (n > TABLE ? 0.3 : 0.5) : 0); // small entries stay visible
const body = new Array(n);
for (const j of data.joints) for (let k = 0; k < j.nv; k++) body[j.iv + k] = j.body;

class Grid {
  /** A matrix as a table of numbers, or as a picture where it is large. */
  constructor(place, name, ones) {
    this.name = name;
    this.ones = ones;
    this.note = el("output", { class: "readout", "aria-live": "off" });
    if (n <= TABLE) {
      const table = el("table", { class: "grid", "aria-label": `matrix ${name}` });
      table.style.setProperty("--n", n);
      const head = el("tr", {}, el("th", {}));
      for (let c = 0; c < n; c++) head.append(el("th", { scope: "col", text: String(c + 1), title: names[c] }));
      table.append(el("thead", {}, head));
      const rows = el("tbody");
      this.cells = [];
      this.shown = [];
      for (let r = 0; r < n; r++) {
        const row = el("tr", {}, el("th", { scope: "row", text: String(r + 1), title: names[r] }));
        for (let c = 0; c < n; c++) {
          const cell = el("td", { title: `${name}(${r + 1}, ${c + 1}): ${names[r]}, ${names[c]}` });
          this.cells.push(cell);
          row.append(cell);
        }
        rows.append(row);
      }
      table.append(rows);
      place.append(table);
    } else {
      this.canvas = el("canvas", { class: "heat", role: "img", "aria-label": `heat map of the ${n} by ${n} matrix ${name}` });
      this.canvas.addEventListener("pointermove", (event) => this.read(event));
      this.canvas.addEventListener("pointerleave", () => (this.note.textContent = this.plain));
      watch(this.canvas, () => this.values && this.show(this.values));
      place.append(this.canvas, this.note);
    }
    this.plain = "";
  }

  show(values) {
    this.values = values;
    let most = 0;
    for (let k = 0; k < values.length; k++) if (!this.ones || Math.floor(k / n) !== k % n) most = Math.max(most, Math.abs(values[k]));
    if (this.cells) {
      const digits = n <= 7 ? 3 : 2;
      this.cells.forEach((cell, k) => {
        const zero = this.ones && Math.floor(k / n) > k % n;
        const text = zero ? "" : short(Math.abs(values[k]) < 1e-9 * most ? 0 : values[k], digits);
        const color = zero ? "transparent" : signed(0.72 * power(values[k], Math.max(most, this.ones ? 1 : 0)));
        const on = !zero && (body[Math.floor(k / n)] === state.selected || body[k % n] === state.selected);
        const shown = `${text} ${color} ${on}`;
        if (this.shown[k] === shown) return;
        this.shown[k] = shown;
        say(cell, text);
        cell.style.backgroundColor = color;
        cell.classList.toggle("on", on);
      });
    } else {
      this.plain = `largest entry ${short(most)}`;
      if (!this.note.textContent.includes("=")) this.note.textContent = this.plain;
      this.draw(most);
    }
  }

  draw(most) {
    const { pen, w, h } = sharp(this.canvas);
    const cell = Math.min(w, h) / n;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.points(most), 0, 0, n * cell, n * cell);
    pen.strokeStyle = ink("--line");
    pen.strokeRect(0.5, 0.5, n * cell - 1, n * cell - 1);
    if (state.selected > 0) {
      pen.strokeStyle = ink("--accent");
      for (let r = 0; r < n; r++) {
        if (body[r] !== state.selected) continue;
        pen.strokeRect(0.5, r * cell + 0.5, n * cell - 1, Math.max(1, cell - 1));
        pen.strokeRect(r * cell + 0.5, 0.5, Math.max(1, cell - 1), n * cell - 1);
      }
    }
  }

  /** The matrix as a picture with one point an entry. */
  points(most) {
    this.small ??= Object.assign(document.createElement("canvas"), { width: n, height: n });
    const small = this.small.getContext("2d");
    const image = small.createImageData(n, n);
    for (let k = 0; k < n * n; k++) {
      const { rgb, share } = heat(power(this.values[k], most));
      image.data.set(rgb, 4 * k);
      image.data[4 * k + 3] = 255 * share;
    }
    small.putImageData(image, 0, 0);
    return this.small;
  }

  read(event) {
    const box = this.canvas.getBoundingClientRect();
    const cell = Math.min(box.width, box.height) / n;
    const [c, r] = [Math.floor((event.clientX - box.left) / cell), Math.floor((event.clientY - box.top) / cell)];
    if (r < 0 || c < 0 || r >= n || c >= n) return;
    this.note.textContent = `${this.name}(${r + 1}, ${c + 1}) = ${short(this.values[r * n + c], 4)}  ·  ${names[r]}, ${names[c]}`;
  }
}

class Bars {
  /** A vector as numbers with bars, or as a picture of bars. */
  constructor(place, name, unit, log) {
    Object.assign(this, { name, unit, log });
    if (n <= TABLE) {
      this.rows = names.map((joint, k) => {
        const bar = el("span", { class: "bar" }, el("i"));
        const text = el("span", { class: "figure" });
        place.append(el("div", { class: "barrow", title: joint }, el("span", { class: "number", text: String(k + 1) }), bar, text));
        return { fill: bar.firstChild, text };
      });
    } else {
      this.canvas = el("canvas", { class: "bars", role: "img", "aria-label": `${name} of the ${n} joints as bars` });
      this.note = el("output", { class: "readout" });
      this.canvas.addEventListener("pointermove", (event) => {
        const box = this.canvas.getBoundingClientRect();
        const k = Math.floor(((event.clientX - box.left) / box.width) * n);
        if (k >= 0 && k < n) this.note.textContent = `${name}(${k + 1}) = ${short(this.values[k], 4)} ${unit}  ·  ${names[k]}`;
      });
      watch(this.canvas, () => this.values && this.show(this.values));
      place.append(this.canvas, this.note);
    }
  }

  show(values) {
    this.values = values;
    const most = Math.max(1e-12, ...Array.from(values, Math.abs));
    const least = Math.min(...Array.from(values, (x) => (x > 0 ? x : most)));
    const share = (x) => (this.log ? (x > 0 ? 0.06 + (0.94 * Math.log(x / least || 1)) / Math.log(most / least || 2 || 1) : 0) : x / most);
    if (this.rows) {
      this.rows.forEach(({ fill, text }, k) => {
        const s = share(values[k]) || 0;
        const from = this.log ? 0 : s < 0 ? 50 + 50 * s : 50;
        fill.style.left = `${from.toFixed(1)}%`;
        fill.style.width = `${(Math.abs(s) * (this.log ? 100 : 50)).toFixed(1)}%`;
        fill.style.backgroundColor = signed(s < 0 ? -0.8 : 0.8);
        say(text, short(values[k]));
      });
      return;
    }
    const { pen, w, h } = sharp(this.canvas);
    const wide = w / n;
    const zero = this.log ? h - 1 : h / 2;
    for (let k = 0; k < n; k++) {
      const s = share(values[k]) || 0;
      const tall = s * (this.log ? h - 3 : h / 2 - 2);
      pen.fillStyle = body[k] === state.selected ? ink("--accent") : signed(s < 0 ? -0.85 : 0.85);
      pen.fillRect(k * wide + 0.5, Math.min(zero, zero - tall), Math.max(1, wide - 1), Math.abs(tall));
    }
    pen.fillStyle = ink("--line");
    pen.fillRect(0, zero, w, 1);
    if (!this.note.textContent.includes("=")) this.note.textContent = `largest ${short(most)} ${this.unit}`;
  }
}

let parts = [];
let chosen = Math.max(0, data.tool);

export const tool = () => chosen;

export function build(onTool) {
  const units = data.joints.every((j) => j.turns.every(Boolean));
  const note = (id, text) => $(id).append(el("p", { class: "note", text }));
  const many = n ? `M has ${n} rows and columns: too many to show.` : "No joint moves.";
  if (has("mass")) parts.push([new Grid($("matrix-m"), "M", false), mass]);
  else note("matrix-m", many);
  if (has("factors")) {
    parts.push([new Grid($("matrix-u"), "U", true), () => factors().U]);
    parts.push([new Bars($("vector-d"), "D", units ? "kg m²" : "", true), () => factors().D]);
  } else {
    for (const id of ["matrix-u", "vector-d"]) note(id, has("mass") ? "Some joint moves no mass: M cannot be factored." : many);
  }
  if (has("gravity")) parts.push([new Bars($("vector-g"), "g", units ? "N m" : "", false), gravity]);
  const choice = $("link");
  data.links.forEach((l, k) => choice.append(el("option", { value: k, text: l.name, selected: k === chosen })));
  choice.addEventListener("change", () => {
    chosen = Number(choice.value);
    refresh();
    onTool(chosen);
  });
}

export function refresh() {
  for (const [part, values] of parts) part.show(values());
  const pose = linkPose(chosen);
  const angles = rollPitchYaw(pose).map((a) => (a * 180) / Math.PI);
  const texts = [pose[3], pose[7], pose[11]].map((x) => fixed(x, 4)).concat(angles.map((a) => fixed(a, 2)));
  ["px", "py", "pz", "rx", "ry", "rz"].forEach((id, k) => say($(id), texts[k].replace("-", "−")));
}
