// DH frames drawn step by step, as they are taught: turn about z, move along z, move along x, turn about x.
import { CylinderGeometry, ConeGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, TorusGeometry, Vector3 } from "three";
import { data } from "./data.js";
import { ORDER, steps } from "./dh.js";
import { $, el, say } from "./dom.js";
import { fixed } from "./math.js";
import { invalidate, overlay, radius, view } from "./stage.js";
import { size as sizeOf } from "./dom.js";
import { bodyPose, state } from "./state.js";

const COLORS = { x: 0xd1495b, y: 0x2a9d4a, z: 0x2b6cb0 };
const SIGNS = { theta: "θ", d: data.dh?.convention === "saha" ? "b" : "d", a: "a", alpha: "α" };
const FIRST = data.dh?.convention === "saha" ? 1 : 0; // Saha's frame 1 stands on the base, the others' frame 0
const group = new Group();
const lesson = { on: false, at: 0, tags: [], made: [] };
const count = data.dh ? 4 * data.dh.rows.length : 0;

/** Why there are no DH frames; nothing where there are. */
export const missing = data.dh ? "" : data.noDh || "this robot has no joints";
export const at = () => lesson.at;

function rod(from, way, length, thick, color) {
  const material = new MeshBasicMaterial({ color, depthTest: false, transparent: true, toneMapped: false });
  const made = new Group();
  const shaft = new Mesh(new CylinderGeometry(thick, thick, length, 10).translate(0, length / 2, 0), material);
  const tip = new Mesh(new ConeGeometry(2.6 * thick, 7 * thick, 12).translate(0, length, 0), material);
  for (const mesh of [shaft, tip]) mesh.renderOrder = 7;
  made.add(shaft, tip);
  made.position.copy(from);
  made.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), way);
  return made;
}

const point = (pose) => new Vector3(pose[3], pose[7], pose[11]);
const axis = (pose, c) => new Vector3(pose[c], pose[4 + c], pose[8 + c]).normalize();

function triad(pose, length, thick) {
  ["x", "y", "z"].forEach((name, c) => group.add(rod(point(pose), axis(pose, c), length, thick, COLORS[name])));
}

/** What the step does: a line along the axis, or an arc about it. */
function mark({ before, axis: name, turn, value }, length) {
  const way = axis(before, name === "x" ? 0 : 2);
  const color = COLORS[name];
  if (!turn) {
    if (Math.abs(value) > 1e-9) group.add(rod(point(before), way.clone().multiplyScalar(Math.sign(value)), Math.abs(value), 0.007 * radius(), color));
    return;
  }
  const arc = new Mesh(new TorusGeometry(0.7 * length, 0.006 * radius(), 8, 48, Math.max(1e-3, Math.abs(value) % (2 * Math.PI))), new MeshBasicMaterial({ color, depthTest: false, transparent: true, toneMapped: false }));
  arc.renderOrder = 7;
  arc.position.copy(point(before));
  const start = axis(before, name === "x" ? 1 : 0);
  const normal = way.clone().multiplyScalar(Math.sign(value) || 1);
  const side = new Vector3().crossVectors(normal, start);
  arc.quaternion.copy(new Quaternion().setFromRotationMatrix(arc.matrix.clone().makeBasis(start, side, normal)));
  group.add(arc);
}

export function place() {
  if (!lesson.on) return;
  group.clear();
  const made = (lesson.made = steps(state.q, bodyPose(data.dh.body)));
  const length = 0.2 * radius() / Math.max(1, data.dh.rows.length / 8) ** 0.5;
  triad(made[0].before, length, 0.006 * radius());
  lesson.spots = [[point(made[0].before), String(FIRST)]];
  for (let k = 3; k < lesson.at; k += 4) {
    triad(made[k].after, length, 0.006 * radius());
    lesson.spots.push([point(made[k].after), String((k + 1) / 4 + FIRST)]);
  }
  if (lesson.at % 4) triad(made[lesson.at - 1].after, 0.8 * length, 0.004 * radius());
  if (lesson.at) mark(made[lesson.at - 1], length);
  tell(made);
}

const figure = (step) => (step.turn ? `${fixed((step.value * 180) / Math.PI, 1)}°` : `${fixed(step.value, 4)} m`).replace("-", "−");

function tell(made) {
  const step = lesson.at ? made[lesson.at - 1] : null;
  const what = step && `${step.turn ? "turn about" : "move along"} ${step.axis} by ${SIGNS[step.key]}${step.row + 1} = ${figure(step)}`;
  say($("dh-step"), step ? `${lesson.at} / ${count}: ${what}` : `frame ${FIRST}; ${count} steps follow`);
  lesson.cells.forEach(({ cell, row, key }) => {
    const own = made[4 * row + ORDER.indexOf(key)];
    say(cell, figure(own));
    cell.classList.toggle("on", own === step);
  });
}

/** Numbers of the frames, beside their origins. */
export function labels(layer) {
  const wanted = lesson.on ? lesson.spots : [];
  while (lesson.tags.length < wanted.length) lesson.tags.push(layer.appendChild(el("span", { class: "tag" })));
  const { w, h } = sizeOf(layer);
  lesson.tags.forEach((tag, k) => {
    const spot = wanted[k];
    const p = spot?.[0].clone().project(view.camera);
    tag.hidden = !p || p.z > 1;
    if (tag.hidden) return;
    say(tag, `frame ${spot[1]}`);
    tag.style.transform = `translate(${((p.x + 1) / 2) * w + 9}px, ${((1 - p.y) / 2) * h + 12 * (k % 3)}px)`;
  });
}

export function go(to) {
  lesson.at = Math.min(count, Math.max(0, to));
  place();
  invalidate();
}

export function show(on) {
  lesson.on = on && !missing;
  group.visible = lesson.on;
  $("teach").hidden = $("dh-table").hidden = !lesson.on;
  if (lesson.on) place();
  else group.clear();
}

export function build() {
  if (missing) return;
  overlay.add(group);
  lesson.cells = [];
  const head = el("tr", {}, el("th", { scope: "col", text: `${data.dh.convention} DH` }), ...ORDER.map((key) => el("th", { scope: "col", text: SIGNS[key] })));
  const rows = data.dh.rows.map((row, r) => el("tr", {}, el("td", {}, el("bdi", { text: `${r + 1} ${row.name}` })), ...ORDER.map((key) => {
    const cell = el("td");
    lesson.cells.push({ cell, row: r, key });
    return cell;
  })));
  $("dh-table").append(el("thead", {}, head), el("tbody", {}, ...rows));
  $("dh-first").addEventListener("click", () => go(0));
  $("dh-back").addEventListener("click", () => go(lesson.at - 1));
  $("dh-next").addEventListener("click", () => go(lesson.at + 1));
  $("dh-last").addEventListener("click", () => go(count));
}
