// Small dense systems: what closed loops and dragging need.

/** An orthonormal basis of the rows of A (m rows of n numbers), by Gram and Schmidt with pivots; rows that follow from others are left out.
 *
 * A[picked[k]] = sum over j <= k of lower[k][j] rows[j].
 */
export function rowBasis(A, m, n, small = 1e-9) {
  const left = Array.from({ length: m }, (_, r) => Float64Array.from(A.subarray(r * n, r * n + n)));
  const sizes = left.map(norm);
  const largest = Math.max(0, ...sizes);
  const made = { rows: [], picked: [], lower: [] };
  const open = new Set(left.keys());
  const known = left.map(() => []);
  while (open.size) {
    let best = -1;
    for (const r of open) if (best < 0 || sizes[r] > sizes[best]) best = r;
    if (!(sizes[best] > small * largest)) break;
    const row = left[best];
    for (let again = 0; again < 2; again++) {
      made.rows.forEach((e, k) => (known[best][k] += take(row, e))); // rounding of earlier steps
    }
    const size = norm(row);
    for (let c = 0; c < n; c++) row[c] /= size;
    known[best].push(size);
    made.rows.push(row);
    made.picked.push(best);
    made.lower.push(known[best]);
    open.delete(best);
    for (const r of open) {
      known[r].push(take(left[r], row));
      sizes[r] = norm(left[r]);
    }
  }
  return made;
}

/** The least x with A x = b in the rows that were picked. */
export function leastNorm({ rows, picked, lower }, b, n) {
  const y = new Float64Array(rows.length);
  const x = new Float64Array(n);
  rows.forEach((row, k) => {
    let s = b[picked[k]];
    for (let j = 0; j < k; j++) s -= lower[k][j] * y[j];
    y[k] = s / lower[k][k];
    for (let c = 0; c < n; c++) x[c] += y[k] * row[c];
  });
  return x;
}

/** Takes the part along a unit vector out of x; returns how much it was. */
export function take(x, unit) {
  const s = dot(x, unit);
  if (s !== 0) for (let c = 0; c < x.length; c++) x[c] -= s * unit[c];
  return s;
}

export function dot(a, b) {
  let s = 0;
  for (let c = 0; c < a.length; c++) s += a[c] * b[c];
  return s;
}

export const norm = (x) => Math.sqrt(dot(x, x));

/** x of (J J^T + damping 1) y = e, x = J^T y: damped least squares for few rows, by Cholesky. */
export function damped(J, e, damping) {
  const m = J.length;
  const L = J.map((row, r) => J.map((other, c) => (c <= r ? dot(row, other) + (r === c ? damping : 0) : 0)));
  const y = Array.from(e);
  for (let r = 0; r < m; r++) {
    for (let c = 0; c <= r; c++) {
      let s = L[r][c];
      for (let k = 0; k < c; k++) s -= L[r][k] * L[c][k];
      L[r][c] = r === c ? Math.sqrt(Math.max(s, 1e-300)) : s / L[c][c];
    }
    for (let k = 0; k < r; k++) y[r] -= L[r][k] * y[k];
    y[r] /= L[r][r];
  }
  for (let r = m - 1; r >= 0; r--) {
    for (let k = r + 1; k < m; k++) y[r] -= L[k][r] * y[k];
    y[r] /= L[r][r];
  }
  const x = new Float64Array(J[0].length);
  J.forEach((row, r) => row.forEach((value, c) => (x[c] += y[r] * value)));
  return x;
}
