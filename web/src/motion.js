// The robot left to itself: forward dynamics as a program, integrated with the tableau that robot.simulate has, friction and end stops as there.
import { allowed, close, coordinate, jacobian, looped, lower, open, step, upper } from "./chain.js";
import { data, programs } from "./data.js";
import { carried, poseAt } from "./reach.js";

const n = data.n;
const { rows, weights, errors, exponent } = data.integrator;
const TOLERANCE = 1e-6;
const SHARPNESS = 100; // s/rad: dry friction is fully there at 0.01 rad/s
const STOP_RATE = 200; // rad/s: what end stops swing at
const damping = new Float64Array(n);
const dry = new Float64Array(n);
for (const j of data.joints) for (let k = 0; k < j.nv; k++) [damping[j.iv + k], dry[j.iv + k]] = [j.damping[k], j.friction[k]];

/** Why there is no simulation; nothing where there is one. */
export const missing = n === 0 ? "no joint moves" : !programs.forward ? (data.absent.forward ?? "forward dynamics is not on this page") : looped && open ? open : "";

const weighed = programs.weights ?? programs.gravity; // springs are no weights
let stiffness = null;

/** The inertia of each joint with all that it carries, in the middle of its range; end stops are as stiff as it takes. */
function inertias() {
  const q = Float64Array.from(data.q);
  if (data.plain) for (let c = 0; c < n; c++) q[c] = Number.isFinite(lower[c] + upper[c]) ? (lower[c] + upper[c]) / 2 : 0;
  if (programs.mass) {
    const M = programs.mass(q).out0;
    return Float64Array.from({ length: n }, (_, c) => M[c * n + c]);
  }
  const made = new Float64Array(n).fill(1);
  if (!programs.composite) return made;
  const seen = programs.composite(q).out0;
  for (const j of data.joints) if (j.form) made[j.iv] = j.form === "slide" ? data.bodies[j.body].carried : seen[16 * data.bodies[j.body].link + 10];
  return made;
}

export class Motion {
  constructor(q) {
    this.gravity = true;
    this.brake = false;
    this.pull = null;
    this.torque = new Float64Array(n);
    this.own = inertias();
    stiffness ??= this.own.map((m) => STOP_RATE ** 2 * m);
    this.reset(q);
  }

  reset(q) {
    const closed = close(Float64Array.from(q));
    this.q = closed.q;
    this.v = new Float64Array(n);
    this.t = 0;
    this.h = 1e-3;
    this.rate = null;
    this.trouble = closed.success ? "" : "its loops do not close here";
  }

  /** What changes the forces: rates are computed anew. */
  set(options) {
    Object.assign(this, options);
    this.rate = null;
  }

  /** Joint forces for a state: the drives', friction, end stops, the pull; and what cancels gravity where it is off. */
  forces(q, v) {
    const tau = Float64Array.from(this.torque);
    for (let c = 0; c < n; c++) {
      tau[c] -= damping[c] * v[c] + (dry[c] ? dry[c] * Math.tanh(v[c] * SHARPNESS) : 0) + (this.brake ? 3 * this.own[c] * v[c] : 0);
      const x = coordinate[c] < 0 ? NaN : q[coordinate[c]];
      if (x > upper[c]) tau[c] -= (x - upper[c]) * stiffness[c] * (1 + v[c]);
      if (x < lower[c]) tau[c] += (lower[c] - x) * stiffness[c] * (1 - v[c]);
    }
    if (!this.gravity) weighed?.(q).out0.forEach((g, c) => (tau[c] += g));
    if (this.pull) this.pulled(q, v).tau.forEach((x, c) => (tau[c] += x));
    return tau;
  }

  /** The force of the pull (N, world axes), where it acts, and what joints feel of it. */
  pulled(q = this.q, v = this.v) {
    const { body, point, target, k, c } = this.pull;
    const at = carried(poseAt(q, body), point);
    const J = jacobian(q, body, at).slice(3);
    const force = target.map((x, r) => k * (x - at[r]) - c * J[r].reduce((s, y, j) => s + y * v[j], 0));
    const tau = new Float64Array(n);
    J.forEach((row, r) => row.forEach((x, j) => (tau[j] += x * force[r])));
    return { force, at, tau };
  }

  /** Takes hold of a point of a body with a spring, as stiff as the mass that is felt there asks for. */
  grab(body, point) {
    const at = carried(poseAt(this.q, body), point);
    const J = jacobian(this.q, body, at).slice(3);
    const still = new Float64Array(n);
    const base = programs.forward(this.q, still, still).out0;
    let give = 0;
    for (const row of J) programs.forward(this.q, still, row).out0.forEach((x, j) => (give += row[j] * (x - base[j])));
    const felt = Math.max(give > 0 ? 3 / give : 0, 0.15 * data.bodies[body].carried);
    const rate = 2 * Math.PI * 1.5;
    this.set({ pull: { body, point, target: at, k: felt * rate * rate, c: 1.2 * felt * rate } });
  }

  derivative(base, x, v) {
    const q = step(base, x);
    return { x: programs.chart ? programs.chart(x, v).out0 : v, v: programs.forward(q, v, this.forces(q, v)).out0 };
  }

  /** One step of at most h, with its error kept below the tolerance; false where it had to be given up. */
  advance(h) {
    const zero = new Float64Array(n);
    this.rate ??= this.derivative(this.q, zero, this.v);
    for (let attempt = 0; attempt < 40; attempt++) {
      const size = Math.min(h, this.h);
      const K = [{ x: this.v, v: this.rate.v }];
      const sum = (row, part, from) => from.map((x, c) => x + size * row.reduce((s, a, j) => s + (a ? a * K[j][part][c] : 0), 0));
      for (let s = 1; s < rows.length; s++) K.push(this.derivative(this.q, sum(rows[s], "x", zero), sum(rows[s], "v", this.v)));
      const [x, v] = [sum(weights, "x", zero), sum(weights, "v", this.v)];
      K.push(this.derivative(this.q, x, v));
      const [ex, ev] = [sum(errors, "x", zero), sum(errors, "v", zero)];
      let off = 0;
      for (let c = 0; c < n; c++) off = Math.max(off, Math.abs(ex[c]) / (TOLERANCE * (1 + Math.abs(x[c]))), Math.abs(ev[c]) / (TOLERANCE * (1 + Math.abs(v[c]))));
      if (off <= 1) {
        this.q = step(this.q, x);
        this.v = v;
        this.t += size;
        if (size === this.h || off > 0.5) this.h *= Math.min(4, Math.max(0.3, 0.9 * off ** -exponent || 4));
        this.rate = { v: K.at(-1).v };
        if (looped) this.project();
        return true;
      }
      this.h = size * (Number.isFinite(off) ? Math.max(0.2, 0.9 * off ** -exponent) : 0.1);
      if (!(this.h > 1e-9)) break;
    }
    this.trouble = "the motion became too fast to follow";
    return false;
  }

  /** Back to closed loops, positions and velocities. */
  project() {
    const closed = close(this.q);
    if (!closed.success) this.trouble = "its loops came open (a configuration where they lock)";
    this.q = closed.q;
    this.v = allowed(this.q, this.v);
    this.rate = null;
  }

  /** As far towards time t as the given milliseconds allow. */
  run(until, milliseconds = 10) {
    const end = performance.now() + milliseconds;
    while (this.t < until - 1e-12 && !this.trouble) {
      if (!this.advance(until - this.t)) break;
      if (performance.now() > end) break;
    }
    return this.t;
  }

  accelerations() {
    return programs.forward(this.q, this.v, this.forces(this.q, this.v)).out0;
  }
}
