// The robot's state: q, and what the traced programs make of it, each computed when first asked for.
import { data, programs } from "./data.js";
import { inverse, multiply, principal } from "./math.js";

const listeners = new Set();
const placements = data.bodies.map((b) => (b.link >= 0 ? inverse(data.links[b.link].at) : null));
const IDENTITY = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
const bodies = data.bodies.map(() => ({ at: new Float64Array(16), of: -1 }));
let cache = {};
let version = 0;

export const state = { q: Float64Array.from(data.q), selected: -1 };

export function onChange(listener) {
  listeners.add(listener);
}

export function tell(what) {
  for (const listener of listeners) listener(what);
}

export function setJoints(q) {
  if (q.length !== data.nq) throw new RangeError(`q has ${q.length} numbers; the robot needs ${data.nq}`);
  for (const x of q) if (!Number.isFinite(x)) throw new RangeError("q holds a number that is not finite");
  state.q = Float64Array.from(q);
  cache = {};
  version++;
  tell("q");
}

export function select(body) {
  state.selected = state.selected === body ? -1 : body;
  tell("selection");
}

function once(name, make) {
  if (!(name in cache)) cache[name] = make();
  return cache[name];
}

export const has = (name) => name in programs;

/** Poses of all links for any q, flat. */
export const posesAt = (q) => programs.poses(q).out0;
export const poses = () => once("poses", () => posesAt(state.q));
export const linkPose = (k) => poses().subarray(16 * k, 16 * k + 16);

/** The pose of a body; the array is the same one at every call. */
export function bodyPose(i) {
  if (!placements[i]) return IDENTITY;
  const own = bodies[i];
  if (own.of !== version) {
    multiply(linkPose(data.bodies[i].link), placements[i], own.at);
    own.of = version;
  }
  return own.at;
}

/** Poses of all bodies for any q. */
export function bodyPosesAt(q) {
  const flat = posesAt(q);
  return placements.map((at, i) => (at ? multiply(flat.subarray(16 * data.bodies[i].link, 16 * data.bodies[i].link + 16), at) : IDENTITY));
}

export const gravity = () => (has("gravity") ? once("gravity", () => programs.gravity(state.q).out0) : null);
export const mass = () => (has("mass") ? once("mass", () => programs.mass(state.q).out0) : null);
export const factors = () => (has("factors") ? once("factors", () => factored(programs.factors(state.q))) : null);
const factored = ({ out0: U, out1: D }) => ({ U, D });

const at3 = (flat, k) => [0, 1, 2, 4, 5, 6, 8, 9, 10].map((e) => flat[16 * k + e]);

/** I about the point c instead of the origin: I - (m |c|^2 1 - m c c^T). */
function central(I, m, c) {
  const d = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  return I.map((e, k) => e - m * ((k % 4 === 0 ? d : 0) - c[Math.floor(k / 3)] * c[k % 3]));
}

/** Inertia of the composite body i about its mass centre, in body axes. */
function composite(i) {
  if (!has("composite")) return null;
  const out = once("composite", () => programs.composite(state.q).out0);
  const m = data.bodies[i].carried;
  const k = data.bodies[i].link;
  if (!(m > 0)) return null;
  const c = [3, 7, 11].map((e) => out[16 * k + e] / m);
  return { tensor: central(at3(out, k), m, c), center: c, mass: m };
}

/** The angular block of the articulated inertia of body i, moved to the body's own mass centre: I - [c] H^T - H [c]^T ... */
function articulated(i) {
  if (!has("articulated")) return null;
  const out = once("articulated", () => programs.articulated(state.q));
  const { link: k, com: c, carried: m } = data.bodies[i];
  if (!(m > 0)) return null;
  const [I, H, M] = [out.out0, out.out1, out.out2].map((flat) => at3(flat, k));
  const P = [0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0]; // the skew matrix of c
  const tensor = new Array(9).fill(0);
  for (let r = 0; r < 3; r++) {
    for (let s = 0; s < 3; s++) {
      let e = I[3 * r + s];
      for (let a = 0; a < 3; a++) {
        e -= P[3 * r + a] * H[3 * s + a] + H[3 * r + a] * P[3 * s + a];
        for (let b = 0; b < 3; b++) e += P[3 * r + a] * M[3 * a + b] * P[3 * s + b];
      }
      tensor[3 * r + s] = e;
    }
  }
  return { tensor, center: c, mass: m };
}

const full = ([xx, yy, zz, xy, xz, yz]) => [xx, xy, xz, xy, yy, yz, xz, yz, zz];

/** Ellipsoids of a kind: centre, axes and radii of gyration, placed by a pose. */
export function ellipsoids(kind) {
  const made = [];
  const add = (body, pose, found) => {
    if (!found) return;
    if (!found.tensor.every(Number.isFinite)) return; // an inertia that vanishes about a joint
    const { values, vectors } = principal(found.tensor);
    made.push({ body, pose, center: found.center, vectors, radii: values.map((I) => Math.sqrt(Math.max(I, 0) / found.mass)) });
  };
  if (kind === "links") {
    data.links.forEach((l, k) => l.mass > 0 && add(l.body, linkPose(k), { tensor: full(l.inertia), center: l.com, mass: l.mass }));
  } else {
    const of = kind === "composite" ? composite : articulated;
    for (let i = 1; i < data.bodies.length; i++) add(i, bodyPose(i), of(i));
  }
  return made;
}
