// A slider and a number for each degree of freedom; quaternions are turned by roll, pitch and yaw.
import { close, fromNeutral, looped, moveJoint, neutralTo, unit } from "./chain.js";
import { data } from "./data.js";
import { $, el, say } from "./dom.js";
import { fixed, quaternion, quaternionAngles } from "./math.js";
import { select, setJoints, state } from "./state.js";

let degrees = true;
const rows = [];

/** The numbers a person moves, for one joint; those of its other kinds of coordinates are looked for near the given ones. */
function shownValues(j, q, near) {
  const own = Array.from(q.subarray(j.iq, j.iq + j.nq));
  if (j.quaternion !== null) return [...own.slice(0, j.quaternion), ...quaternionAngles(own.slice(j.quaternion))];
  return j.plain ? own : neutralTo(j, q, near);
}

function coordinates(j, values) {
  if (j.quaternion !== null) return [...values.slice(0, j.quaternion), ...quaternion(values.slice(j.quaternion))];
  return j.plain ? values : fromNeutral(j, values);
}

function range(j, k) {
  const [low, high] = j.limits[k];
  const wide = j.turns[k] ? Math.PI : Math.max(1, Math.ceil(data.reach));
  if (low === null && high === null) return [-wide, wide];
  if (low !== null && high !== null && high - low > 8 * wide && low < wide && high > -wide) return [Math.max(low, -wide), Math.min(high, wide)]; // limits that limit nothing
  return [low ?? high - 2 * wide, high ?? low + 2 * wide];
}

function move(row, value) {
  row.values[row.k] = value; // of the whole joint: rows of one joint share the array
  const found = moveJoint(state.q, row.joint, coordinates(row.joint, row.values));
  row.moving = found.success;
  setJoints(found.q);
  row.moving = false;
  say($("status"), found.success ? "" : "its loops do not close there");
  if (!found.success) refresh();
}

export function build() {
  const list = $("joints");
  data.joints.forEach((joint) => {
    const values = shownValues(joint, state.q, joint.turns.map(() => 0));
    const own = [];
    joint.turns.forEach((turns, k) => {
      const [low, high] = range(joint, k);
      const part = joint.labels[k];
      const label = part ? `${joint.name} ${part}` : joint.name;
      const row = { joint, k, turns, values, low, high, own };
      own.push(row);
      row.slider = el("input", {
        type: "range", min: low, max: high, step: "any", "aria-label": label, class: "slide",
        oninput: () => move(row, Number(row.slider.value)),
        onkeydown: (event) => nudge(event, row),
      });
      row.box = el("input", { type: "number", step: "any", "aria-label": `${label}, value`, class: "value", onchange: () => typed(row) });
      const name = el("button", {
        type: "button", class: "joint", title: `${label} (${joint.type}): choose its body`, "aria-pressed": "false", onclick: () => select(joint.body),
      }, el("span", { class: "number", text: numeral(joint, k) }), el("bdi", { class: "name", text: joint.nv > 1 && k ? part : label }));
      row.name = name;
      list.append(el("div", { class: "row", role: "group", "aria-label": label }, name, row.slider, row.box));
      rows.push(row);
    });
  });
  $("units").addEventListener("click", () => {
    degrees = !degrees;
    refresh();
  });
  $("reset").addEventListener("click", () => setJoints(data.q));
  $("random").addEventListener("click", shuffle);
  if (!rows.length) list.append(el("p", { class: "note", text: "This robot has no joints that move." }));
  refresh();
}

/** Which degrees of freedom a row moves; roll, pitch and yaw move three at once. */
function numeral(joint, k) {
  if (joint.plain || joint.nv === 1) return String(joint.iv + k + 1);
  return k ? "" : `${joint.iv + 1}–${joint.iv + joint.nv}`;
}

function nudge(event, row) {
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
  if (!step) return;
  event.preventDefault();
  const size = row.turns ? Math.PI / 180 : (row.high - row.low) / 200;
  const value = Math.min(row.high, Math.max(row.low, row.values[row.k] + step * size));
  row.slider.value = String(value); // a slider moves its own handle only for what it is dragged to
  move(row, value);
}

const scale = (row) => (row.turns && degrees ? 180 / Math.PI : 1);

function typed(row) {
  const x = Number(row.box.value) / scale(row);
  if (row.box.value !== "" && Number.isFinite(x)) move(row, Math.min(row.high, Math.max(row.low, x)));
  refresh();
}

function shuffle() {
  const q = state.q.slice();
  data.joints.forEach((joint) => {
    if (joint.quaternion > 0) return; // a base that moves freely stays where it is
    const values = joint.turns.map((turns, k) => {
      const [low, high] = range(joint, k);
      return low + (high - low) * (0.15 + 0.7 * Math.random());
    });
    coordinates(joint, values).forEach((x, k) => (q[joint.iq + k] = x));
  });
  if (!looped) return setJoints(q);
  for (let share = 1; share > 0.01; share /= 2) { // the further from closed, the less likely it closes at all
    const found = close(unit(state.q.map((x, k) => x + share * 0.5 * (q[k] - x))));
    if (found.success) return setJoints(found.q);
  }
}

export function refresh() {
  for (const row of rows) {
    if (row.k === 0 && !row.own.some((r) => r.moving)) {
      shownValues(row.joint, state.q, row.values).forEach((x, k) => (row.values[k] = x));
    }
    const x = row.values[row.k];
    const figure = fixed(x * scale(row), row.turns && degrees ? 1 : 3);
    const text = row.turns ? (degrees ? `${figure}°` : `${figure} rad`) : `${figure} m`;
    if (document.activeElement !== row.box || row.moving) row.box.value = figure;
    if (row.shown === x && row.text === text) continue;
    Object.assign(row, { shown: x, text });
    if (!row.moving) row.slider.value = String(x);
    row.slider.setAttribute("aria-valuetext", text);
    const share = (100 * (x - row.low)) / (row.high - row.low || 1);
    const zero = (100 * (Math.min(row.high, Math.max(row.low, 0)) - row.low)) / (row.high - row.low || 1);
    row.slider.style.setProperty("--from", `${Math.min(share, zero)}%`);
    row.slider.style.setProperty("--to", `${Math.max(share, zero)}%`);
    row.slider.dataset.outside = String(x < row.low - 1e-9 || x > row.high + 1e-9);
  }
  say($("units"), degrees ? "degrees" : "radians");
}

export function mark() {
  for (const row of rows) row.name.setAttribute("aria-pressed", String(row.joint.body === state.selected));
}
