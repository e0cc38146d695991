// Frames, joint axes, mass centres, inertia ellipsoids, gravity, the tool's path, labels: what one draws on a robot's picture.
import {
  BufferAttribute, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3,
} from "three";
import { data } from "./data.js";
import { $, size as sizeOf } from "./dom.js";
import { into } from "./math.js";
import { overlay, radius, view } from "./stage.js";
import { bodyPose, ellipsoids, linkPose, posesAt, state } from "./state.js";
import { dark } from "./theme.js";

const X = 0xd55e00;
const Y = 0x009e73;
const Z = 0x0072b2;
export const KINDS = { links: 0x56b4e9, composite: 0xe69f00, articulated: 0x009e73 };
export const shown = { frames: false, axes: false, centers: false, labels: false, links: false, composite: false, articulated: false, trace: true, gravity: true };
export const inside = () => shown.frames || shown.axes || shown.centers || shown.links || shown.composite || shown.articulated;

const matrix = new Matrix4();
const turn = new Quaternion();
const one = new Vector3(1, 1, 1);
const UP = new Vector3(0, 1, 0);
const groups = {};
let size = 0.1;

function rod(thick, length, base = 0) {
  return new CylinderGeometry(thick, thick, length, 10).translate(0, base + length / 2, 0);
}

function instanced(geometry, material, count, group) {
  const made = new InstancedMesh(geometry, material, Math.max(1, count));
  made.count = count;
  made.frustumCulled = false;
  group.add(made);
  return made;
}

const over = (color, opacity = 1) => new MeshBasicMaterial({ color, opacity, transparent: true, depthTest: false, depthWrite: false, toneMapped: false });

/** A basis as a rotation that takes y to the wanted column of a pose. */
function along(pose, column, length = 1) {
  const p = new Vector3(pose[3], pose[7], pose[11]);
  const way = new Vector3(pose[column], pose[4 + column], pose[8 + column]);
  turn.setFromUnitVectors(UP, way.normalize());
  return new Matrix4().compose(p, turn, new Vector3(1, length, 1));
}

export function build() {
  size = 0.13 * radius() / Math.max(1, data.links.length / 14) ** 0.4;
  for (const name of Object.keys(shown)) overlay.add((groups[name] = new Group()));
  const thick = size * 0.035;
  const links = data.links.length;
  groups.frames.rods = [X, Y, Z].map((c) => instanced(rod(thick, size * 0.8), over(c), links, groups.frames));
  const moving = data.joints.length;
  groups.axes.rods = instanced(rod(thick * 1.3, size * 2.2, -size * 1.1), over(Z), moving, groups.axes);
  groups.axes.tips = instanced(new ConeGeometry(thick * 3.6, size * 0.36, 16).translate(0, size * 1.25, 0), over(Z), moving, groups.axes);
  buildCenters();
  for (const [kind, color] of Object.entries(KINDS)) {
    const material = new MeshStandardMaterial({ color, roughness: 0.35, transparent: true, opacity: 0.5, depthWrite: false });
    groups[kind].balls = instanced(new SphereGeometry(1, data.links.length > 200 ? 16 : 40, data.links.length > 200 ? 10 : 28), material, 0, groups[kind]);
    groups[kind].room = 0;
  }
  buildGravity();
  buildTrace();
}

/** The engineer's sign for a mass centre: quarters in black and white. */
function buildCenters() {
  const ball = new SphereGeometry(size * 0.17, 24, 16).toNonIndexed();
  const at = ball.attributes.position;
  const colors = new Float32Array(at.count * 3);
  for (let f = 0; f < at.count; f += 3) {
    const mean = [0, 1, 2].map((c) => at.getComponent(f, c) + at.getComponent(f + 1, c) + at.getComponent(f + 2, c));
    const white = mean[0] * mean[1] * mean[2] > 0 ? 1 : 0.02;
    colors.fill(white, 3 * f, 3 * f + 9);
  }
  ball.setAttribute("color", new BufferAttribute(colors, 3));
  const material = new MeshBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, toneMapped: false });
  const heavy = data.links.map((l, k) => (l.mass > 0 && l.body > 0 ? k : -1)).filter((k) => k >= 0);
  groups.centers.links = heavy;
  groups.centers.balls = instanced(ball, material, heavy.length, groups.centers);
  groups.centers.balls.renderOrder = 5;
}

function buildGravity() {
  const g = new Vector3(...data.gravity);
  if (g.length() < 1e-9) return;
  const parts = [rod(0.028, 0.78), new ConeGeometry(0.085, 0.24, 24).translate(0, 0.88, 0)];
  for (const part of parts) {
    const mesh = new Mesh(part, over(0xb0648f));
    mesh.renderOrder = 9;
    mesh.frustumCulled = false;
    groups.gravity.add(mesh);
  }
  groups.gravity.quaternion.setFromUnitVectors(UP, g.normalize());
  groups.gravity.way = g.normalize();
}

const LONG = 0.24; // gravity's arrow, as a share of half the picture's height
const ASIDE = 52; // its distance from the right edge, in pixels: room for its letter
let lowest = -0.56; // where its middle is at the lowest, so that no button covers it

/** Asks how far the buttons reach up at the right edge; only when they have moved, since asking makes the browser lay out the page. */
export function makeRoom() {
  const stage = $("stage").getBoundingClientRect();
  const tops = [...document.querySelectorAll(".views, #legend, #teach > *, .chip")]
    .map((e) => e.getBoundingClientRect())
    .filter((r) => r.width && r.right > stage.right - 2 * ASIDE && r.left < stage.right && r.top > stage.top + stage.height / 2)
    .map((r) => r.top - stage.top);
  const free = Math.min(stage.height, ...tops) - 12;
  lowest = Math.max(-0.56, 1 - (2 * free) / stage.height + LONG / 2);
}

/** Gravity's arrow keeps to a corner of the picture, whatever the view. */
export function placeGravity() {
  const { camera, controls } = view;
  if (!groups.gravity.way) return;
  const depth = controls.target.clone().project(camera).z;
  const size = camera.position.distanceTo(controls.target) * Math.tan((camera.fov * Math.PI) / 360) * LONG;
  groups.gravity.scale.setScalar(size);
  groups.gravity.position.set(1 - (2 * ASIDE) / sizeOf($("labels")).w, lowest, depth).unproject(camera).addScaledVector(groups.gravity.way, -size / 2);
}

/** Where the two ends of gravity's arrow are in the picture, in pixels. */
export function gravityArrow() {
  const { w, h } = sizeOf($("labels"));
  if (!groups.gravity?.way) return null;
  return [0, 1].map((share) => {
    const p = groups.gravity.position.clone().addScaledVector(groups.gravity.way, share * groups.gravity.scale.x).project(view.camera);
    return [((p.x + 1) / 2) * w, ((1 - p.y) / 2) * h];
  });
}

// --- each change of q -----------------------------------------------------------------------------------------------------------
export function place() {
  for (const [name, group] of Object.entries(groups)) group.visible = shown[name];
  if (shown.frames) {
    groups.frames.rods.forEach((mesh, column) => {
      data.links.forEach((_, k) => mesh.setMatrixAt(k, along(linkPose(k), column)));
      mesh.instanceMatrix.needsUpdate = true;
    });
  }
  if (shown.axes) {
    for (const mesh of [groups.axes.rods, groups.axes.tips]) {
      data.joints.forEach((j, k) => mesh.setMatrixAt(k, along(bodyPose(j.body), 2)));
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
  if (shown.centers) {
    const { balls, links } = groups.centers;
    links.forEach((k, at) => {
      into(matrix, linkPose(k));
      const p = new Vector3(...data.links[k].com).applyMatrix4(matrix);
      balls.setMatrixAt(at, new Matrix4().compose(p, turn.setFromRotationMatrix(matrix), one));
    });
    balls.instanceMatrix.needsUpdate = true;
  }
  for (const kind of Object.keys(KINDS)) if (shown[kind]) placeEllipsoids(kind);
}

function placeEllipsoids(kind) {
  const group = groups[kind];
  const found = ellipsoids(kind).filter((e) => state.selected <= 0 || e.body === state.selected);
  if (found.length > group.room) {
    const { geometry, material } = group.balls;
    group.remove(group.balls);
    group.balls.dispose();
    group.room = found.length;
    group.balls = instanced(geometry, material, found.length, group);
  }
  group.balls.material.opacity = found.length > 3 && kind !== "links" ? 0.22 : 0.48;
  group.balls.count = found.length;
  const thin = 0.004 * radius();
  found.forEach((e, k) => {
    const pose = into(new Matrix4(), e.pose);
    const v = e.vectors;
    const own = new Matrix4().set(v[0], v[1], v[2], e.center[0], v[3], v[4], v[5], e.center[1], v[6], v[7], v[8], e.center[2], 0, 0, 0, 1);
    own.scale(new Vector3(...e.radii.map((r) => Math.max(r, thin))));
    group.balls.setMatrixAt(k, pose.multiply(own));
  });
  group.balls.instanceMatrix.needsUpdate = true;
}

// --- the tool's path ------------------------------------------------------------------------------------------------------------
function buildTrace() {
  groups.trace.points = [];
}

/** The path of a link through the samples of a run. */
export function traceLink(samples, count, link) {
  const group = groups.trace;
  group.clear();
  group.points = [];
  if (!samples || link < 0) return;
  const step = Math.max(1, Math.ceil(count / 700));
  const points = [];
  for (let k = 0; k < count; k += step) {
    const pose = posesAt(samples.subarray(k * data.nq, (k + 1) * data.nq));
    points.push(new Vector3(pose[16 * link + 3], pose[16 * link + 7], pose[16 * link + 11]));
  }
  const thick = 0.0055 * radius();
  group.whole = instanced(rod(thick * 0.55, 1), new MeshBasicMaterial({ color: 0x888f99, transparent: true, opacity: 0.45, toneMapped: false }), points.length - 1, group);
  group.done = instanced(rod(thick, 1), new MeshBasicMaterial({ color: dark() ? 0xff8f45 : 0xd55e00, toneMapped: false }), points.length - 1, group);
  for (let k = 0; k + 1 < points.length; k++) {
    const way = points[k + 1].clone().sub(points[k]);
    const length = way.length();
    turn.setFromUnitVectors(UP, length > 0 ? way.divideScalar(length) : UP);
    const made = new Matrix4().compose(points[k], turn, new Vector3(1, Math.max(length, 1e-9), 1));
    group.whole.setMatrixAt(k, made);
    group.done.setMatrixAt(k, made);
  }
  group.points = points;
}

export function traceUntil(share) {
  const { done, points } = groups.trace;
  if (done) done.count = Math.round(share * Math.max(0, points.length - 1));
}

// --- labels ---------------------------------------------------------------------------------------------------------------------
let tags = null;
const spot = new Vector3();

export function labels(layer) {
  if (!tags) {
    tags = data.joints.slice(0, 120).map((j) => {
      const tag = document.createElement("span");
      tag.className = "tag";
      const number = j.nv > 1 ? `${j.iv + 1}–${j.iv + j.nv}` : String(j.iv + 1);
      tag.textContent = data.joints.length > 16 ? number : `${number} ${j.name}`;
      layer.append(tag);
      return { tag, at: () => spot.set(bodyPose(j.body)[3], bodyPose(j.body)[7], bodyPose(j.body)[11]), on: () => shown.labels };
    });
    if (groups.gravity.way) {
      const tag = document.createElement("span");
      tag.className = "tag bare";
      tag.textContent = "g";
      layer.append(tag);
      tags.push({ tag, at: () => spot.copy(groups.gravity.position).addScaledVector(groups.gravity.way, 0.4 * groups.gravity.scale.x), on: () => shown.gravity });
    }
  }
  const { w, h } = sizeOf(layer);
  for (const { tag, at, on } of tags) {
    const p = on() ? at().project(view.camera) : null;
    const hidden = !p || p.z > 1;
    if (tag.hidden !== hidden) tag.hidden = hidden;
    if (!tag.hidden) tag.style.transform = `translate(${((p.x + 1) / 2) * w + 9}px, ${((1 - p.y) / 2) * h}px) translateY(-50%)`;
  }
}

