// Small numerical helpers; poses are 16 numbers, row by row.

/** Eigenvalues and orthonormal eigenvectors (columns) of a symmetric 3x3 matrix, by Jacobi's rotations. */
export function principal(m) {
  const a = Array.from(m);
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < 30; sweep++) {
    const off = Math.abs(a[1]) + Math.abs(a[2]) + Math.abs(a[5]);
    if (off < 1e-15 * (Math.abs(a[0]) + Math.abs(a[4]) + Math.abs(a[8])) || off === 0) break;
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      const apq = a[3 * p + q];
      if (apq === 0) continue;
      const theta = (a[4 * q] - a[4 * p]) / (2 * apq);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) {
        const x = a[3 * k + p];
        const y = a[3 * k + q];
        a[3 * k + p] = c * x - s * y;
        a[3 * k + q] = s * x + c * y;
      }
      for (let k = 0; k < 3; k++) {
        const x = a[3 * p + k];
        const y = a[3 * q + k];
        a[3 * p + k] = c * x - s * y;
        a[3 * q + k] = s * x + c * y;
        const e = v[3 * k + p];
        const f = v[3 * k + q];
        v[3 * k + p] = c * e - s * f;
        v[3 * k + q] = s * e + c * f;
      }
    }
  }
  const det = v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6]) + v[2] * (v[3] * v[7] - v[4] * v[6]);
  if (det < 0) for (const k of [2, 5, 8]) v[k] = -v[k];
  return { values: [a[0], a[4], a[8]], vectors: v };
}

export function multiply(a, b, out = new Float64Array(16)) {
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) {
      let s = 0;
      for (let k = 0; k < 4; k++) s += a[4 * r + k] * b[4 * k + c];
      out[4 * r + c] = s;
    }
  }
  return out;
}

/** A pose into a matrix of three.js, which keeps columns. */
export function into(matrix, pose) {
  const e = matrix.elements;
  for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) e[4 * c + r] = pose[4 * r + c];
  return matrix;
}

export function inverse(a) {
  const out = new Float64Array(16);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[4 * r + c] = a[4 * c + r];
    out[4 * r + 3] = -(a[r] * a[3] + a[4 + r] * a[7] + a[8 + r] * a[11]);
  }
  out[15] = 1;
  return out;
}

/** Roll, pitch and yaw of the rotation in a pose. */
export function rollPitchYaw(m) {
  const pitch = Math.atan2(-m[8], Math.hypot(m[0], m[4]));
  if (Math.hypot(m[0], m[4]) < 1e-9) return [Math.atan2(-m[6], m[5]), pitch, 0];
  return [Math.atan2(m[9], m[10]), pitch, Math.atan2(m[4], m[0])];
}

/** Quaternion (x, y, z, w) of roll, pitch, yaw. */
export function quaternion([roll, pitch, yaw]) {
  const [sr, cr] = [Math.sin(roll / 2), Math.cos(roll / 2)];
  const [sp, cp] = [Math.sin(pitch / 2), Math.cos(pitch / 2)];
  const [sy, cy] = [Math.sin(yaw / 2), Math.cos(yaw / 2)];
  return [sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy];
}

export function quaternionAngles([x, y, z, w]) {
  const n = Math.hypot(x, y, z, w) || 1;
  [x, y, z, w] = [x / n, y / n, z / n, w / n];
  const sp = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sp), Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
}

/** Digits behind the point; what rounds to nought has no sign. */
export function fixed(x, digits) {
  const text = x.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** A short decimal. */
export function short(x, digits = 3) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size < 5e-10) return "0";
  if (size >= 1e5 || size < 10 ** -digits) return x.toExponential(Math.max(0, digits - 2)).replace("e+", "e").replaceAll("-", "−");
  const before = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 0;
  return x.toFixed(Math.max(0, digits - Math.max(0, before - 1))).replace("-", "−");
}

/** A tick with as many digits as tell it from the next one; powers of ten for all of an axis that is very small or large. */
export function tick(x, step, largest) {
  const power = (size) => Math.floor(Math.log10(size) + 1e-9);
  const apart = Math.min(100, Math.max(0, power(Math.abs(x) || step) - power(step)));
  const text = largest >= 1e5 || largest < 1e-3 || power(step) < -9 ? x.toExponential(apart).replace("e+", "e") : x.toFixed(Math.max(0, -power(step)));
  return Number(text) === 0 ? "0" : text.replaceAll("-", "−");
}

/** Round steps for an axis from low to high. */
export function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.7) || raw;
  const made = [];
  for (let x = Math.ceil(low / step - 1e-9) * step; x <= high + 1e-9 * step; x += step) made.push(Math.abs(x) < 1e-12 * step ? 0 : x);
  return made;
}
