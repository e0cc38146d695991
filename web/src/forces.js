// Arrows for forces: weights, what joints pass on, torques about joints, what closes loops, and the pull.
import { ConeGeometry, CylinderGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { data, programs } from "./data.js";
import { $, el } from "./dom.js";
import { short } from "./math.js";
import * as player from "./player.js";
import * as simulator from "./simulator.js";
import { overlay, radius } from "./stage.js";
import { bodyPose, linkPose, state } from "./state.js";

const UP = new Vector3(0, 1, 0);
const KINDS = {
  weights: { color: 0xb0648f, text: "weight", unit: "N" },
  joints: { color: 0x0072b2, text: "force a joint passes on", unit: "N" },
  torques: { color: 0xe69f00, text: "torque about a joint", unit: "N m" },
  loops: { color: 0x009e73, text: "force that closes a loop", unit: "N" },
  pull: { color: 0xd55e00, text: "pull", unit: "N" },
};
const g = Math.hypot(...data.gravity);
let on = false;
let last = {};

class Arrows {
  constructor(kind, room) {
    const material = new MeshBasicMaterial({ color: kind.color, depthTest: false, depthWrite: false, transparent: true, opacity: 0.9, toneMapped: false });
    const thick = 0.008 * radius();
    this.rods = new InstancedMesh(new CylinderGeometry(thick, thick, 1, 10).translate(0, 0.5, 0), material, room);
    this.tips = new InstancedMesh(new ConeGeometry(3 * thick, 9 * thick, 16).translate(0, 4.5 * thick, 0), material, room);
    for (const mesh of [this.rods, this.tips]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 8;
      mesh.count = 0;
      overlay.add(mesh);
    }
    this.room = room;
  }

  /** Arrows {at, way}; the longest of the kind is a third of the robot. */
  show(list, longest) {
    const count = Math.min(this.room, list.length);
    const turn = new Quaternion();
    for (let k = 0; k < count; k++) {
      const way = new Vector3(...list[k].way);
      const size = way.length();
      const long = longest > 0 ? (0.55 * radius() * size) / longest : 0;
      turn.setFromUnitVectors(UP, size > 0 ? way.divideScalar(size) : UP);
      const at = new Vector3(...list[k].at);
      const wide = long > 0.01 * radius() ? 1 : 1e-6;
      this.rods.setMatrixAt(k, new Matrix4().compose(at, turn, new Vector3(wide, Math.max(long, 1e-9), wide)));
      this.tips.setMatrixAt(k, new Matrix4().compose(at.addScaledVector(way, long), turn, new Vector3(wide, wide, wide)));
    }
    for (const mesh of [this.rods, this.tips]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

const arrows = {};

const turned = (pose, v) => [0, 4, 8].map((r) => pose[r] * v[0] + pose[r + 1] * v[1] + pose[r + 2] * v[2]);
const placed = (pose, v) => turned(pose, v).map((x, k) => x + pose[4 * k + 3]);

/** Velocities, accelerations and joint forces now: of the simulation, of the run, or at rest. */
function now() {
  const motion = simulator.motion();
  if (motion) {
    const tau = motion.forces(motion.q, motion.v);
    const pulled = motion.pull ? motion.pulled() : null;
    return { qd: motion.v, qdd: motion.accelerations(), tau: pulled ? tau.map((x, c) => x - pulled.tau[c]) : tau, pulled, body: motion.pull?.body ?? -1, all: tau };
  }
  if (player.run) return { pulled: null, ...player.rates() };
  const still = new Float64Array(data.n);
  return { qd: still, qdd: still, tau: data.loops.length ? still : programs.gravity?.(state.q).out0 ?? null, pulled: null };
}

/** All arrows by kind: {at, way}, in the world. */
export function forces() {
  const made = { weights: [], joints: [], torques: [], loops: [], pull: [] };
  data.links.forEach((l, k) => {
    if (l.mass > 0 && l.body > 0 && g > 0) made.weights.push({ at: placed(linkPose(k), l.com), way: data.gravity.map((x) => x * l.mass) });
  });
  const { qd, qdd, tau, pulled, body, all } = now();
  if (programs.wrenches) {
    const out = programs.wrenches(state.q, qd, qdd).out0;
    const above = new Set();
    for (let i = pulled ? body : 0; i > 0; i = data.bodies[i].parent) above.add(i);
    for (let i = 1; i < data.bodies.length; i++) {
      const k = data.bodies[i].link;
      if (k < 0) continue;
      const way = turned(linkPose(k), out.subarray(6 * (i - 1) + 3, 6 * i)).map((x, r) => x - (above.has(i) ? pulled.force[r] : 0));
      made.joints.push({ at: [3, 7, 11].map((e) => bodyPose(i)[e]), way, body: i });
    }
  }
  if (tau) {
    for (const j of data.joints) {
      const pose = bodyPose(j.body);
      if (j.form === "hinge" || j.form === "screw") made.torques.push({ at: [pose[3], pose[7], pose[11]], way: [pose[2], pose[6], pose[10]].map((x) => x * tau[j.iv]), body: j.body });
    }
  }
  if (programs.closures) {
    const out = programs.closures(state.q, qd, all ?? tau ?? new Float64Array(data.n)).out0;
    data.loops.forEach((loop, k) => {
      if (loop.body < 0) return;
      const at = loop.body > 0 ? placed(bodyPose(loop.body), [loop.at[3], loop.at[7], loop.at[11]]) : [loop.at[3], loop.at[7], loop.at[11]];
      made.loops.push({ at, way: [...out.subarray(6 * k + 3, 6 * k + 6)] });
    });
  }
  if (pulled) made.pull.push({ at: pulled.at, way: pulled.force });
  return made;
}

export function place() {
  if (!on) return;
  last = forces();
  const largest = (kinds) => Math.max(0, ...kinds.flatMap((kind) => last[kind].map((a) => Math.hypot(...a.way))));
  const one = largest(["weights", "joints", "loops", "pull"]); // forces have one scale, so that they can be compared
  const rows = [];
  for (const [kind, about] of Object.entries(KINDS)) {
    const list = last[kind];
    if (list.length && !arrows[kind]) arrows[kind] = new Arrows(about, Math.max(list.length, 64));
    arrows[kind]?.show(list, kind === "torques" ? largest(["torques"]) : one);
    const own = largest([kind]);
    if (list.length && own > 0) rows.push(el("li", {}, swatch(about.color), `${about.text}, up to ${short(own, 2)} ${about.unit}`));
  }
  $("legend").replaceChildren(...rows);
  $("legend").hidden = rows.length === 0;
}

function swatch(color) {
  const made = el("i");
  made.style.background = `#${color.toString(16).padStart(6, "0")}`;
  return made;
}

export function show(wanted) {
  on = wanted;
  if (!on) {
    for (const own of Object.values(arrows)) own.show([], 0);
    $("legend").hidden = true;
  } else place();
}
