// Normals that are smooth across gentle edges and sharp across others.
import { BufferAttribute, BufferGeometry } from "three";

/** A geometry of loose triangles; each corner takes the mean of the faces around its vertex that turn less than the crease. */
export function creased(positions, index, crease = 0.7) {
  const faces = index.length / 3;
  const normal = new Float32Array(3 * faces); // length: twice the area
  const unit = new Float32Array(3 * faces);
  const start = new Uint32Array(positions.length / 3 + 1);
  for (let f = 0; f < faces; f++) {
    const [a, b, c] = [3 * index[3 * f], 3 * index[3 * f + 1], 3 * index[3 * f + 2]];
    const [ux, uy, uz] = [positions[b] - positions[a], positions[b + 1] - positions[a + 1], positions[b + 2] - positions[a + 2]];
    const [vx, vy, vz] = [positions[c] - positions[a], positions[c + 1] - positions[a + 1], positions[c + 2] - positions[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(x, y, z) || 1;
    normal.set([x, y, z], 3 * f);
    unit.set([x / length, y / length, z / length], 3 * f);
    for (let k = 0; k < 3; k++) start[index[3 * f + k] + 1]++;
  }
  for (let v = 1; v < start.length; v++) start[v] += start[v - 1];
  const around = new Uint32Array(index.length);
  const next = start.slice();
  for (let c = 0; c < index.length; c++) around[next[index[c]]++] = Math.floor(c / 3);
  const limit = Math.cos(crease);
  const points = new Float32Array(3 * index.length);
  const normals = new Float32Array(3 * index.length);
  for (let c = 0; c < index.length; c++) {
    const v = index[c];
    const f = 3 * Math.floor(c / 3);
    let [x, y, z] = [0, 0, 0];
    for (let k = start[v]; k < start[v + 1]; k++) {
      const g = 3 * around[k];
      if (unit[f] * unit[g] + unit[f + 1] * unit[g + 1] + unit[f + 2] * unit[g + 2] >= limit) {
        x += normal[g];
        y += normal[g + 1];
        z += normal[g + 2];
      }
    }
    const length = Math.hypot(x, y, z) || 1;
    for (let k = 0; k < 3; k++) points[3 * c + k] = positions[3 * v + k];
    normals.set([x / length, y / length, z / length], 3 * c);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  return geometry;
}
