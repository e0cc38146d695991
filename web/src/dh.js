// Denavit-Hartenberg frames: the four elementary motions of each row, in the order of the convention.
import { data } from "./data.js";
import { multiply } from "./math.js";

const TURN = { z: (c, s) => [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], x: (c, s) => [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0, 0, 0, 0, 1] };
const SHIFT = { z: (v) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, v, 0, 0, 0, 1], x: (v) => [1, 0, 0, v, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };
const MOTIONS = {
  theta: { axis: "z", turn: true, sign: "θ" },
  d: { axis: "z", turn: false, sign: data.dh?.convention === "saha" ? "b" : "d" },
  a: { axis: "x", turn: false, sign: "a" },
  alpha: { axis: "x", turn: true, sign: "α" },
};
export const ORDER = data.dh?.convention === "proximal" ? ["alpha", "a", "theta", "d"] : ["theta", "d", "a", "alpha"];

const elementary = ({ axis, turn }, value) => (turn ? TURN[axis](Math.cos(value), Math.sin(value)) : SHIFT[axis](value));

/** The value of a parameter for q: the joint's coordinate is added to theta, or to d where it slides. */
function value(row, key, q) {
  const moved = row.iq >= 0 && (key === "d" ? row.sliding : key === "theta" && !row.sliding);
  return row[key] + (moved ? row.ratio * q[row.iq] + row.offset : 0);
}

/** Steps from the first frame to the last: the frame before and after each, and what was done. */
export function steps(q, base) {
  const made = [];
  let frame = multiply(base, data.dh.base);
  data.dh.rows.forEach((row, r) => {
    for (const key of ORDER) {
      const x = value(row, key, q);
      const next = multiply(frame, elementary(MOTIONS[key], x));
      made.push({ row: r, key, value: x, ...MOTIONS[key], before: frame, after: next });
      frame = next;
    }
  });
  return made;
}
