// Inverse kinematics: the joints that bring a point of a body to where it is dragged, by damped least squares within limits, loops closed.
import { close, coordinate, forbidden, jacobian, looped, lower, open, step, upper } from "./chain.js";
import { data, programs } from "./data.js";
import { damped, leastNorm, take } from "./linear.js";
import { inverse, multiply } from "./math.js";

const n = data.n;
const size = Math.max(1e-3, 0.3 * data.reach); // m: a radian counts as much as this far

/** The pose of a body for any q, from that of its first link. */
function poseAt(q, body) {
  const k = data.bodies[body].link;
  return multiply(programs.poses(q).out0.subarray(16 * k, 16 * k + 16), placement(body));
}
const kept = new Map();
function placement(body) {
  if (!kept.has(body)) kept.set(body, inverse(data.links[data.bodies[body].link].at));
  return kept.get(body);
}

const carried = (pose, p) => [0, 4, 8].map((r) => pose[r] * p[0] + pose[r + 1] * p[1] + pose[r + 2] * p[2] + pose[r + 3]);

/** The rotation vector from one pose to another, for turns below half a turn. */
function turned(from, to) {
  const R = [0, 1, 2].map((r) => [0, 1, 2].map((c) => [0, 1, 2].reduce((s, k) => s + to[4 * r + k] * from[4 * c + k], 0)));
  const axis = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]];
  const sine = Math.hypot(...axis) / 2;
  const angle = Math.atan2(sine, (R[0][0] + R[1][1] + R[2][2] - 1) / 2);
  return axis.map((x) => (sine > 1e-12 ? (x * angle) / (2 * sine) : x / 2));
}

function errors(q, grip, target) {
  const pose = poseAt(q, grip.body);
  const at = carried(pose, grip.point);
  const e = target.point.map((x, k) => x - at[k]);
  if (target.pose) e.push(...turned(pose, target.pose).map((x) => x * size));
  return { e, at, far: Math.hypot(...e) };
}

/** From q towards the target {point, pose}: the point (in the body's frame) goes there; with a pose the body also turns to it.
 *
 * Returns the best q found, how far away it is (m), and whether that is as good as there.
 */
export function reach(q, grip, target, rounds = 40) {
  let now = errors(q, grip, target);
  let damping = 1e-3;
  for (let round = 0; round < rounds && now.far > 1e-10 * size; round++) {
    const rows = jacobian(q, grip.body, now.at);
    const J = target.pose ? [...rows.slice(3), ...rows.slice(0, 3).map((row) => row.map((x) => x * size))] : rows.slice(3);
    const scale = now.far > 0.25 * size ? (0.25 * size) / now.far : 1;
    const e = now.e.map((x) => x * scale);
    const next = walk(q, J, e, damping * J.reduce((s, row) => s + row.reduce((t, x) => t + x * x, 0), 0));
    const then = next ? errors(next, grip, target) : null;
    if (then && then.far < now.far * (1 - 1e-6)) {
      [q, now] = [next, then];
      damping = Math.max(1e-12, damping / 6);
    } else {
      damping *= 8;
      if (damping > 1e3) break;
    }
  }
  return { q, far: now.far, success: now.far < 1e-6 * size };
}

/** One step of the joints; those at their limits that would go on are held. */
function walk(q, rows, e, damping) {
  const held = new Uint8Array(n);
  for (let again = 0; again <= n; again++) {
    const J = rows.map((row) => row.map((x, c) => (held[c] ? 0 : x)));
    let back = null;
    let wish = e;
    if (looped && !open) {
      const basis = forbidden(q, held);
      back = leastNorm(basis, programs.residual(q).out0.map((x) => -x), n);
      wish = e.map((x, r) => x - J[r].reduce((s, y, c) => s + y * back[c], 0));
      for (const row of J) for (const unit of basis.rows) take(row, unit);
    }
    const way = damped(J, wish, Math.max(damping, 1e-300));
    if (back) for (let c = 0; c < n; c++) way[c] += back[c];
    const most = way.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
    if (most > 0.5) for (let c = 0; c < n; c++) way[c] *= 0.5 / most;
    let more = false;
    for (let c = 0; c < n; c++) {
      const at = coordinate[c];
      if (held[c] || at < 0) continue;
      if ((way[c] > 0 && q[at] >= upper[c]) || (way[c] < 0 && q[at] <= lower[c])) more = held[c] = 1;
    }
    if (more) continue;
    const made = step(q, way);
    for (let c = 0; c < n; c++) if (coordinate[c] >= 0) made[coordinate[c]] = Math.min(upper[c], Math.max(lower[c], made[coordinate[c]]));
    const closed = close(made, held);
    return closed.success ? closed.q : null;
  }
  return null;
}

export { carried, poseAt };
