// What dragging, sliders and the simulation share: steps of the joints, Jacobians, limits, and loops that stay closed, all from the robot's programs.
import { data, programs } from "./data.js";
import { dot, leastNorm, rowBasis, take } from "./linear.js";

const n = data.n;
const CLOSED = 1e-9 * Math.max(1, data.reach); // m, rad
const WORK = 6e7; // products of one basis: some 0.1 s
const equations = programs.residual ? programs.residual(Float64Array.from(data.q)).out0.length : 0;

/** Per velocity: its limits, and the coordinate that has them (-1 where coordinates do not add up, as in quaternions). */
export const lower = new Float64Array(n).fill(-Infinity);
export const upper = new Float64Array(n).fill(Infinity);
export const coordinate = new Int32Array(n).fill(-1);
for (const j of data.joints) {
  for (let k = 0; k < j.nv; k++) {
    if (j.plain) coordinate[j.iv + k] = j.iq + k;
    lower[j.iv + k] = j.limits[k][0] ?? -Infinity;
    upper[j.iv + k] = j.limits[k][1] ?? Infinity;
  }
}

export const looped = data.loops.length > 0;
/** Why loops are not closed while joints move; nothing where they are. */
export const open = !looped ? "" : !programs.residual || !programs.constraints ? (data.absent.residual ?? data.absent.constraints ?? "its equations are not on this page")
  : equations * equations * n > WORK ? `it has ${equations} loop equations, too many to solve while one looks on; robot.assemble does it in Python` : "";
const closes = looped && !open;

/** Coordinates after moving with the velocities v for unit time. */
export const step = (q, v) => (programs.step ? programs.step(q, v).out0 : q.map((x, k) => x + v[k]));

/** A joint's coordinates after moving from its neutral place with its own velocities x. */
export function fromNeutral(j, x) {
  const [q, v] = [Float64Array.from(data.q), new Float64Array(n)];
  q.set(j.neutral, j.iq);
  v.set(x, j.iv);
  return Array.from(step(q, v).subarray(j.iq, j.iq + j.nq));
}

/** The x with fromNeutral(j, x) = q's own coordinates, by Newton's method: from near, or else the least one found. */
export function neutralTo(j, q, near) {
  const starts = [near, ...[0, 1.5, -1.5, 3, -3].flatMap((far) => near.map((_, k) => near.map((_, c) => (c === k ? far : 0))))];
  const own = unit(Float64Array.from(q)).subarray(j.iq, j.iq + j.nq);
  let best = null;
  for (const start of starts) {
    const x = Float64Array.from(start);
    let far = Infinity;
    for (let round = 0; round < 20 && far > 1e-13; round++) {
      const at = fromNeutral(j, x);
      const left = at.map((e, r) => own[r] - e);
      const slopes = Array.from(x, (_, c) => fromNeutral(j, x.map((e, k) => (k === c ? e + 1e-6 : e))).map((e, r) => (e - at[r]) / 1e-6));
      const gram = Float64Array.from(slopes.flatMap((a) => slopes.map((b) => dot(a, b))));
      const way = leastNorm(rowBasis(gram, j.nv, j.nv), slopes.map((a) => dot(a, left)), j.nv);
      way.forEach((e, c) => (x[c] += e));
      far = Math.max(...left.map(Math.abs));
    }
    if (far > 1e-6) continue;
    const inside = x.every((e, c) => !j.turns[c] || Math.abs(e) <= Math.PI + 1e-9);
    if (start === near && inside) return Array.from(x);
    if (!best || dot(x, x) < dot(best, best)) best = x;
  }
  return Array.from(best ?? near);
}

/** Rows of the Jacobian of a point (in the world) on a body: omega, then v. */
export function jacobian(q, body, point) {
  const found = programs.twists(q);
  const tables = [found.out0, found.out1, found.out2];
  const rows = Array.from({ length: 6 }, () => new Float64Array(n));
  for (let i = body; i > 0; i = data.bodies[i].parent) {
    const { link, iv, nv, ratio } = data.bodies[i];
    for (let c = 0; c < nv && link >= 0; c++) {
      const [w, v] = twist(tables[c >> 1], 16 * link, c % 2);
      const at = [w[1] * point[2] - w[2] * point[1], w[2] * point[0] - w[0] * point[2], w[0] * point[1] - w[1] * point[0]];
      for (let r = 0; r < 3; r++) {
        rows[r][iv + c] += ratio * w[r];
        rows[3 + r][iv + c] += ratio * (v[r] + at[r]);
      }
    }
  }
  return rows;
}

/** Two twists lie in the place of a pose: angular and linear of the first, angular of the second as rows, its linear part as the last column. */
const twist = (t, at, second) =>
  second ? [[t[at + 8], t[at + 9], t[at + 10]], [t[at + 3], t[at + 7], t[at + 11]]] : [[t[at], t[at + 1], t[at + 2]], [t[at + 4], t[at + 5], t[at + 6]]];

export const residual = (q) => (programs.residual ? programs.residual(q).out0.reduce((most, x) => Math.max(most, Math.abs(x)), 0) : 0);

/** An orthonormal basis of what the loops forbid; held joints do not move. */
export function forbidden(q, held = null) {
  const A = programs.constraints(q).out0;
  if (held) for (let k = 0; k < A.length; k++) if (held[k % n]) A[k] = 0;
  return rowBasis(A, A.length / n, n);
}

/** The nearest configuration with closed loops, within limits and with joints held, by Newton's method. */
export function close(q, held = null) {
  if (!closes) return { q, success: true };
  const fixed = held ? Uint8Array.from(held) : new Uint8Array(n);
  let best = Infinity;
  for (let round = 0; round < 60; round++) {
    const value = programs.residual(q).out0;
    const size = value.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    if (size < 1e-14 * Math.max(1, data.reach) || (size < CLOSED && size > 0.5 * best)) return { q, success: true };
    best = Math.min(best, size);
    const way = leastNorm(forbidden(q, fixed), value.map((x) => -x), n);
    const most = way.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
    if (most > 0.5) for (let c = 0; c < n; c++) way[c] *= 0.5 / most;
    q = step(q, way);
    for (let c = 0; c < n; c++) if (pin(q, c)) fixed[c] = 1;
  }
  return { q, success: residual(q) < CLOSED };
}

/** Puts a coordinate back within its limits; whether it was outside. */
function pin(q, c) {
  const at = coordinate[c];
  if (at < 0 || (q[at] >= lower[c] && q[at] <= upper[c])) return false;
  q[at] = Math.min(upper[c], Math.max(lower[c], q[at]));
  return true;
}

/** Directions (quaternions, a sine with its cosine) at length one. */
export function unit(q) {
  for (const { at } of data.directions) {
    const size = Math.hypot(...at.map((c) => q[c])) || 1;
    if (Math.abs(size - 1) > 1e-15) for (const c of at) q[c] /= size;
  }
  return q;
}

/** Moves a joint's coordinates to the wanted ones, and all others so that loops stay closed; as far as that goes. */
export function moveJoint(from, joint, wanted) {
  const put = (q, share) => {
    const made = Float64Array.from(q);
    wanted.forEach((x, k) => (made[joint.iq + k] = share === 1 ? x : from[joint.iq + k] + share * (x - from[joint.iq + k])));
    return unit(made);
  };
  if (!closes) return { q: put(from, 1), success: true };
  const held = new Uint8Array(n);
  held.fill(1, joint.iv, joint.iv + joint.nv);
  const far = wanted.reduce((m, x, k) => Math.max(m, Math.abs(x - from[joint.iq + k])), 0);
  const steps = Math.max(1, Math.ceil(far / 0.06));
  let q = from;
  for (let k = 1; k <= steps; k++) {
    const found = close(put(q, k / steps), held);
    if (!found.success || jumped(q, found.q, 1.5)) return { q, success: false };
    q = found.q;
  }
  return { q, success: true };
}

/** Whether the mechanism has snapped over into another assembly. */
const jumped = (a, b, far) => a.some((x, k) => Math.abs(x - b[k]) > far);

/** The velocities without what would open loops. */
export function allowed(q, v) {
  if (!closes) return v;
  const made = Float64Array.from(v);
  for (const row of forbidden(q).rows) take(made, row);
  return made;
}
