// Taking hold of the robot: the tool's handle, or any body under the pointer. At rest the joints follow by inverse kinematics; in a simulation it is a pull.
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import { data, programs } from "./data.js";
import { $, el, say, size } from "./dom.js";
import { bodyOf } from "./robot.js";
import { carried, poseAt, reach } from "./reach.js";
import { beforeFrame, invalidate, root, view } from "./stage.js";
import { setJoints, state } from "./state.js";
import * as simulator from "./simulator.js";

/** Why the tool cannot be dragged; nothing where it can. */
export const missing = data.n === 0 ? "no joint moves" : !programs.twists ? (data.absent.twists ?? "its Jacobian is not on this page") : "";

const grip = { on: false, keep: false, body: 0, point: [0, 0, 0], target: null, pose: null, plane: new Plane(), offset: new Vector3(), wanted: false, pointer: null };
let tool = () => 0;
const ray = new Raycaster();

export const active = () => grip.on;

function aim(event) {
  const box = view.renderer.domElement.getBoundingClientRect();
  const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
  ray.setFromCamera(at, view.camera);
  return ray;
}

/** The tool's origin as a point of its body. */
function toolPoint() {
  const { body, at } = data.links[tool()];
  return { body, point: [at[3], at[7], at[11]] };
}

function begin(body, point) {
  if (body <= 0) return say($("status"), "this part does not move");
  Object.assign(grip, { body, point, target: carried(poseAt(state.q, body), point), pose: grip.keep ? poseAt(state.q, body) : null });
  const normal = view.camera.getWorldDirection(new Vector3());
  grip.plane.setFromNormalAndCoplanarPoint(normal, new Vector3(...grip.target));
  if (simulator.running()) simulator.grab(body, point);
  return true;
}

/** Moves what is held to a point of the world; the joints follow in the next frame. */
export function pullTo(target) {
  grip.target = target;
  if (simulator.running()) simulator.pullTo(target);
  else grip.wanted = true;
  invalidate();
}

function solve() {
  if (!grip.wanted || simulator.running()) return false;
  grip.wanted = false;
  const found = reach(state.q, grip, { point: grip.target, pose: grip.pose }, 14);
  setJoints(found.q);
  say($("status"), found.far > 0.02 * data.reach ? `out of reach by ${found.far.toPrecision(2)} m` : "");
  return false;
}

function end() {
  solve(); // a key that was only tapped, a mouse that was quick
  grip.pointer = null;
  grip.target = null;
  simulator.release();
  say($("status"), "");
  invalidate();
}

function pointers(stage, canvas) {
  const start = (event, body, point, at) => {
    if (event.button !== 0 || !begin(body, point)) return;
    event.preventDefault();
    event.stopPropagation(); // the view does not turn
    grip.offset.copy(at ?? new Vector3(...grip.target)).sub(new Vector3(...grip.target));
    grip.pointer = event.pointerId;
    event.target.setPointerCapture?.(event.pointerId);
  };
  $("handle").addEventListener("pointerdown", (event) => {
    const { body, point } = toolPoint();
    start(event, body, point);
    $("handle").focus();
  });
  stage.addEventListener("pointerdown", (event) => {
    if (event.target !== canvas || (!grip.on && !simulator.running())) return;
    const hit = aim(event).intersectObject(root, true).find((h) => bodyOf(h.object) > 0);
    if (!hit) return;
    const body = bodyOf(hit.object);
    const pose = poseAt(state.q, body);
    const p = hit.point.toArray().map((x, k) => x - [pose[3], pose[7], pose[11]][k]);
    start(event, body, [0, 1, 2].map((c) => pose[c] * p[0] + pose[4 + c] * p[1] + pose[8 + c] * p[2]), hit.point);
  }, true);
  window.addEventListener("pointermove", (event) => {
    if (event.pointerId !== grip.pointer || !grip.target) return;
    const at = aim(event).ray.intersectPlane(grip.plane, new Vector3());
    if (at) pullTo(at.sub(grip.offset).toArray());
  });
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, (event) => event.pointerId === grip.pointer && end());
}

function keys() {
  const ways = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1] };
  $("handle").addEventListener("keydown", (event) => {
    const way = ways[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { body, point } = toolPoint();
    if (!grip.target && !begin(body, point)) return;
    const axes = [new Vector3(), new Vector3(), new Vector3()];
    view.camera.matrixWorld.extractBasis(...axes);
    const far = (simulator.running() ? 0.15 : 0.02) * data.reach;
    const from = simulator.running() ? carried(poseAt(state.q, body), point) : grip.target;
    pullTo(from.map((x, r) => x + far * way.reduce((s, w, k) => s + w * axes[k].getComponent(r), 0)));
  });
  $("handle").addEventListener("keyup", (event) => ways[event.key] && grip.pointer === null && end());
  $("handle").addEventListener("blur", () => grip.target && grip.pointer === null && end());
}

/** The handle keeps to the tool. */
function place() {
  const shown = grip.on || simulator.running();
  const handle = $("handle");
  if (handle.hidden === shown) handle.hidden = !shown;
  if (!shown) return;
  const { body, point } = toolPoint();
  const p = new Vector3(...carried(body > 0 ? poseAt(state.q, body) : [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], point)).project(view.camera);
  const { w, h } = size(view.renderer.domElement.parentElement);
  handle.style.transform = `translate(${((p.x + 1) / 2) * w}px, ${((1 - p.y) / 2) * h}px)`;
}

export function toggle(on = !grip.on) {
  grip.on = on && !missing;
  $("act-drag").setAttribute("aria-pressed", String(grip.on));
  $("act-keep").hidden = !grip.on;
  invalidate();
}

export function build(chosen) {
  tool = chosen;
  const drag = el("button", { type: "button", class: "act", id: "act-drag", "aria-pressed": "false", disabled: Boolean(missing), text: "Drag tool", title: missing || "the joints follow the tool, or any part one takes hold of", onclick: () => toggle() });
  const keep = el("button", { type: "button", class: "act", id: "act-keep", "aria-pressed": "false", hidden: true, text: "Keep direction", title: "what is dragged does not turn", onclick: () => keep.setAttribute("aria-pressed", String((grip.keep = !grip.keep))) });
  $("acts").append(drag, keep);
  if (missing) return;
  pointers($("stage"), view.renderer.domElement);
  keys();
  beforeFrame(solve);
  beforeFrame(place);
}
