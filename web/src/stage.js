// Renderer, camera, light and floor. Frames are drawn when something has changed, and only then.
import {
  Box3, CircleGeometry, Color, DirectionalLight, Group, HemisphereLight, LineBasicMaterial, LineSegments, BufferGeometry, Float32BufferAttribute,
  Mesh, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Scene, ShadowMaterial, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { data } from "./data.js";
import { size, watch } from "./dom.js";
import { dark, onTheme } from "./theme.js";

const g = new Vector3(...data.gravity);
export const up = g.length() > 1e-9 ? g.clone().normalize().negate() : new Vector3(0, 0, 1);
const sideways = Math.abs(up.z) < 0.9; // an arm that moves in a vertical plane is looked at from its front
export const scene = new Scene();
export const root = new Group(); // the robot
export const overlay = new Group(); // marks that belong to no shape
scene.add(root, overlay);

export const view = { renderer: null, camera: null, controls: null, frames: 0, own: 0, drawing: 0 };
const before = new Set();
let wanted = false;

export function invalidate(moved = false) {
  if (moved === true && view.renderer) view.renderer.shadowMap.needsUpdate = true;
  if (!wanted && view.renderer) {
    wanted = true;
    requestAnimationFrame(draw);
  }
}

/** Called before each frame; one that returns true wants another frame. */
export function beforeFrame(step) {
  before.add(step);
}

const after = new Set();

/** Called when a frame has been drawn and its picture is still there. */
export function afterFrame(step, on = true) {
  if (on) after.add(step);
  else after.delete(step);
}

/** Draws now, in full, and leaves the picture for the caller. */
export function drawNow() {
  apply(0);
  for (const step of before) step(performance.now());
  view.renderer.shadowMap.needsUpdate = true;
  view.renderer.render(scene, view.camera);
}

function draw(now) {
  wanted = false;
  const began = performance.now();
  let more = false;
  for (const step of before) more = step(now) === true || more;
  more = view.controls.update() || more;
  view.own += performance.now() - began;
  pace(now, more);
  const ready = performance.now();
  view.renderer.render(scene, view.camera);
  for (const step of after) step();
  view.drawing += performance.now() - ready;
  view.frames++;
  if (more) invalidate();
}

// --- fine at rest, quick in motion ----------------------------------------------------------------------------------------------
const LEVELS = [
  { ratio: 2, shadows: true },
  { ratio: 1, shadows: true },
  { ratio: 1, shadows: false },
  { ratio: 0.6, shadows: false },
];
const quality = { moving: 0, now: 0, last: -1, slow: 0, rest: 0, software: false };

/** Frames that follow each other slowly are drawn coarser, until they do not; a moment after the last one the picture is drawn in full. */
function pace(now, more) {
  const gap = now - quality.last;
  quality.last = now;
  if (gap > 45 && gap < 3000 && !document.hidden && view.frames > 2) quality.slow += gap > 150 ? 2 : 1;
  else if (gap < 25) quality.slow = Math.max(0, quality.slow - 1);
  if (quality.slow >= 4 && quality.moving < LEVELS.length - 1) {
    quality.moving++;
    quality.slow = 0;
  }
  if (gap < 3000) apply(quality.moving);
  clearTimeout(quality.rest);
  if (quality.now > 0 && !more) quality.rest = setTimeout(refine, 300);
}

function refine() {
  apply(0);
  quality.last = -1e9; // what comes next starts a new motion
  view.renderer.shadowMap.needsUpdate = true;
  view.renderer.render(scene, view.camera);
}

function apply(level) {
  if (level === quality.now) return;
  quality.now = level;
  const { ratio, shadows } = LEVELS[level];
  view.renderer.setPixelRatio(points(ratio));
  if (sun.castShadow !== shadows) {
    sun.castShadow = shadows;
    view.renderer.shadowMap.needsUpdate = true;
  }
}

/** Points of the picture for one of the screen. Where the processor draws, edges are smoothed by drawing twice as fine, at rest only. */
const points = (most) => Math.min(quality.software && most > 1 ? 2 : window.devicePixelRatio || 1, most);

export const level = () => quality.moving;

/** Whether nothing is left to draw. */
export const still = () => !wanted && quality.now === 0;

/** Whether the processor draws, in place of a graphics card: smoothing every frame's edges there takes longer than all the rest. */
function software() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const found = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(names && gl.getParameter(names.UNMASKED_RENDERER_WEBGL)));
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return found;
}

export function start(canvas) {
  let renderer;
  quality.software = software();
  quality.moving = quality.software ? 2 : 0;
  try {
    renderer = new WebGLRenderer({ canvas, antialias: !quality.software, alpha: true, powerPreference: "low-power" });
  } catch {
    return false;
  }
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false; // drawn anew when the robot has moved, not when the camera has
  renderer.setPixelRatio(points(2));
  view.renderer = renderer;
  view.camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  view.camera.up.copy(up);
  view.controls = new OrbitControls(view.camera, canvas);
  Object.assign(view.controls, { enableDamping: true, dampingFactor: 0.12, zoomToCursor: true });
  view.controls.addEventListener("change", invalidate);
  watch(canvas.parentElement, resize);
  resize();
  keys(canvas);
  onTheme(paint);
  return true;
}

function resize() {
  const { w, h } = size(view.renderer.domElement.parentElement);
  if (!w || !h) return;
  view.renderer.setSize(w, h, false);
  view.camera.aspect = w / h;
  view.camera.updateProjectionMatrix();
  invalidate();
}

// --- light, floor ---------------------------------------------------------------------------------------------------------------
const sun = new DirectionalLight(0xfffaf2, 2);
const rim = new DirectionalLight(0xdfeaff, 0.7);
const sky = new HemisphereLight(0xf4f8ff, 0x8d8a86, 1.2);
const floor = new Group();
let shade, lines;
const look = { center: new Vector3(), radius: 1, corners: [] };

/** Frame the robot: light, floor and camera are sized by the box it fills. */
export function settle(box, reach) {
  const size = box.getSize(new Vector3());
  look.center = box.getCenter(new Vector3());
  look.radius = Math.max(size.length() / 2, 0.12 * reach, 1e-3);
  look.corners = corners(box);
  const low = Math.min(...look.corners.map((p) => p.dot(up)));
  const base = look.center.clone().addScaledVector(up, -look.center.dot(up));
  floor.position.copy(base.addScaledVector(up, low - 0.001 * look.radius));
  floor.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
  buildFloor();
  const r = look.radius;
  const side = perpendicular();
  sun.position.copy(look.center).addScaledVector(up, 3.2 * r).addScaledVector(side, 1.7 * r).addScaledVector(new Vector3().crossVectors(up, side), (sideways ? -2.6 : -1.1) * r);
  sun.target.position.copy(look.center);
  sun.castShadow = true;
  sun.shadow.mapSize.setScalar(quality.software ? 1024 : 2048);
  sun.shadow.radius = 5;
  sun.shadow.bias = -0.0004;
  sun.shadow.normalBias = 0.006 * r;
  Object.assign(sun.shadow.camera, { left: -1.9 * r, right: 1.9 * r, top: 1.9 * r, bottom: -1.9 * r, near: 0.2 * r, far: 8 * r });
  sky.position.copy(up);
  rim.position.copy(look.center).addScaledVector(up, 1.2 * r).addScaledVector(side, -2.4 * r).addScaledVector(new Vector3().crossVectors(up, side), 1.6 * r);
  rim.target = sun.target;
  scene.add(sun, sun.target, rim, sky, floor);
  Object.assign(view.camera, { near: r / 200, far: r * 200 });
  Object.assign(view.controls, { minDistance: 0.1 * r, maxDistance: 40 * r });
  paint();
  look3d("home");
}

function corners(box) {
  const made = [];
  for (const x of [box.min.x, box.max.x]) for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) made.push(new Vector3(x, y, z));
  return made;
}

function perpendicular() {
  const x = new Vector3(1, 0, 0);
  return Math.abs(up.x) > 0.9 ? new Vector3(0, 1, 0) : x.addScaledVector(up, -up.x).normalize();
}

function buildFloor() {
  floor.clear();
  const r = look.radius;
  const step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((s) => s >= r / 5) || r / 5;
  const half = Math.ceil((3.2 * r) / step);
  const points = [];
  const fade = [];
  for (let k = -half; k <= half; k++) {
    for (let m = -half; m < half; m++) {
      for (const [a, b] of [[k, m], [k, m + 1]]) {
        const f = Math.max(0, 1 - Math.hypot(a, b) / half) ** 1.3;
        points.push(a * step, b * step, 0);
        fade.push(1, 1, 1, f);
      }
      for (const [a, b] of [[m, k], [m + 1, k]]) {
        const f = Math.max(0, 1 - Math.hypot(a, b) / half) ** 1.3;
        points.push(a * step, b * step, 0);
        fade.push(1, 1, 1, f);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(fade, 4));
  lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
  shade = new Mesh(new CircleGeometry(3.4 * r, 64), new ShadowMaterial({ transparent: true, depthWrite: false }));
  shade.receiveShadow = true;
  shade.renderOrder = -2;
  lines.renderOrder = -1;
  floor.add(shade, lines);
}

function paint() {
  const night = dark();
  sun.intensity = night ? 1.9 : 2.35;
  rim.intensity = night ? 1.1 : 0.6;
  sky.intensity = night ? 0.95 : 1.55;
  if (shade) {
    shade.material.opacity = night ? 0.5 : 0.2;
    lines.material.color = new Color(night ? 0x6b7684 : 0x7f8894);
    lines.material.opacity = night ? 0.5 : 0.42;
  }
  invalidate(true);
}

// --- camera ---------------------------------------------------------------------------------------------------------------------
const VIEWS = { home: sideways ? [0.35, 0.3, 1] : [1, -0.95, 0.5], front: sideways ? [0, 0, 1] : [1, 0, 0.02], side: sideways ? [1, 0, 0.02] : [0, -1, 0.02], top: null };

export function look3d(name) {
  const way = name === "top" ? up.clone().addScaledVector(perpendicular(), -0.001) : local(VIEWS[name]);
  const { camera, controls } = view;
  controls.target.copy(look.center);
  camera.position.copy(look.center).addScaledVector(way.normalize(), distance(way));
  controls.update();
  invalidate();
}

/** How far away the camera sees all corners of the robot's box, with room for the title and the buttons. */
function distance(way) {
  const tall = Math.tan((view.camera.fov * Math.PI) / 360);
  const right = new Vector3().crossVectors(up, way).normalize();
  const top = new Vector3().crossVectors(way, right);
  const room = tall * heightLeft();
  let far = 0.3 * look.radius;
  for (const corner of look.corners) {
    const p = corner.clone().sub(look.center);
    far = Math.max(far, p.dot(way) + Math.abs(p.dot(right)) / (0.92 * tall * view.camera.aspect), p.dot(way) + Math.abs(p.dot(top)) / room);
  }
  return far;
}

/** The share of the height that title and buttons leave: beside the robot they take little, across a narrow window all of theirs. */
function heightLeft() {
  const stage = view.renderer.domElement.parentElement.getBoundingClientRect();
  if (stage.width > 640) return 0.85;
  const above = document.getElementById("acts").getBoundingClientRect().bottom - stage.top;
  const below = stage.bottom - document.getElementById("view-home").getBoundingClientRect().top;
  return Math.min(0.85, Math.max(0.4, 1 - (2 * (Math.max(above, below) + 12)) / stage.height));
}

/** A direction given in the world, for arms that stand; those that move in the X-Y plane have their own. */
function local([x, y, z]) {
  if (!sideways || Math.abs(up.y) > 0.9) return new Vector3(x, sideways ? y * Math.sign(up.y || 1) : y, sideways ? z : z * Math.sign(up.z || 1));
  return new Vector3(x, y, z).addScaledVector(up, 0.4);
}

/** The camera goes along with a point; it keeps its side of it. */
const follow = { at: null };
export function followPoint(point) {
  if (!point) follow.at = null;
  else {
    const to = new Vector3(...point);
    if (follow.at) {
      const way = to.clone().sub(follow.at);
      view.camera.position.add(way);
      view.controls.target.add(way);
    } else {
      view.camera.position.add(to).sub(view.controls.target);
      view.controls.target.copy(to);
    }
    follow.at = to;
  }
}

function keys(canvas) {
  canvas.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const zoom = { "+": 0.9, "=": 0.9, "-": 1 / 0.9 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!turn && !zoom)) return;
    event.preventDefault();
    const { camera, controls } = view;
    const arm = camera.position.clone().sub(controls.target);
    if (zoom) arm.multiplyScalar(zoom);
    if (turn) {
      arm.applyAxisAngle(up, (turn[0] * Math.PI) / 36);
      const right = new Vector3().crossVectors(up, arm).normalize();
      const lifted = arm.clone().applyAxisAngle(right, (-turn[1] * Math.PI) / 36);
      if (Math.abs(lifted.clone().normalize().dot(up)) < 0.995) arm.copy(lifted);
    }
    camera.position.copy(controls.target).add(arm);
    controls.update();
    invalidate();
  });
}

export function boxOf(object) {
  object.updateMatrixWorld(true);
  return new Box3().setFromObject(object);
}
export const radius = () => look.radius;
