// The robot's own shapes: meshes, primitives, capsules; one group a body, moved by its pose.
import {
  BackSide, BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, Matrix4, FrontSide, Mesh, DoubleSide, MeshStandardMaterial, SphereGeometry,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { bytes, data } from "./data.js";
import { into } from "./math.js";
import { creased } from "./normals.js";
import { root } from "./stage.js";
import { bodyPose, bodyPosesAt, state } from "./state.js";
import { dark } from "./theme.js";

const ROLES = { link: [0xdedbd4, 0.45, 0], joint: [0x3d5673, 0.45, 0.05], base: [0x77828e, 0.6, 0], visual: [0xd9d7d2, 0.5, 0] };
const SELECTED = new Color(0xe07b00);
const groups = [];
const rails = [];
const materials = new Map();

function material(body, key, color, roughness, metalness, opacity = 1) {
  const name = `${body} ${key}`;
  if (!materials.has(name)) {
    const made = new MeshStandardMaterial({ color, roughness, metalness, side: DoubleSide, shadowSide: BackSide });
    Object.assign(made.userData, { body, opacity, color: made.color.clone(), pale: made.color.clone().lerp(new Color(0x9aa3ad), 0.55) });
    materials.set(name, made);
  }
  return materials.get(name);
}

const clamp = (x) => Math.min(1, Math.max(0, x));

function paint(shape, own) {
  const given = shape.color && shape.color.length >= 3 ? shape.color : own && own.length >= 3 ? own : null;
  const [plain, roughness, metalness] = ROLES[shape.role] || ROLES.visual;
  if (!given) return material(shape.body, shape.role, new Color(plain), roughness, metalness);
  const color = new Color().setRGB(clamp(given[0]), clamp(given[1]), clamp(given[2]), "srgb");
  const bright = Math.max(color.r, color.g, color.b);
  if (bright < 0.07) color.lerp(new Color(0.07, 0.07, 0.07), 0.75); // pure black hides every form, and so does pure white
  if (bright > 0.86) color.multiplyScalar(0.86 / bright);
  return material(shape.body, `#${color.getHexString()} ${given[3] ?? 1}`, color, 0.48, 0.08, clamp(given[3] ?? 1) || 1);
}

const unpack = (meshes) => meshes.map((parts) =>
  parts.map((part) => {
    const steps = new Uint16Array(bytes(part.v));
    const index = part.wide ? new Uint32Array(bytes(part.i)) : new Uint16Array(bytes(part.i));
    const positions = new Float32Array(steps.length);
    for (let k = 0; k < steps.length; k++) positions[k] = part.low[k % 3] + part.step * steps[k];
    return { geometry: creased(positions, index), color: part.color };
  }),
);

const unpacked = unpack(data.meshes);

const UPRIGHT = new Matrix4().makeRotationX(Math.PI / 2); // three's cylinders stand along y

const ROUND = data.shapes.length > 600 ? 10 : data.shapes.length > 150 ? 20 : 36; // sides of what is round

function pieces(shape, meshes = unpacked) {
  const s = shape.size;
  switch (shape.kind) {
    case "box":
      return [[new BoxGeometry(s[0], s[1], s[2]), null]];
    case "sphere":
      return [[new SphereGeometry(s[0], ROUND, Math.ceil(ROUND * 0.6)), null]];
    case "cylinder":
      return [[new CylinderGeometry(s[0], s[0], s[1], ROUND).applyMatrix4(UPRIGHT), null]];
    case "capsule":
      return [[new CapsuleGeometry(s[0], s[1], Math.ceil(ROUND / 3), ROUND).applyMatrix4(UPRIGHT), null]];
    case "mesh":
      return (meshes[shape.mesh] || []).map((part) => [part.geometry, part.color]);
    default:
      return [];
  }
}

export function build() {
  data.bodies.forEach(() => groups.push(root.add(new Group()).children.at(-1)));
  for (const group of groups) group.matrixAutoUpdate = false;
  const together = new Map(); // what moves together and looks alike is drawn together
  for (const shape of data.shapes) {
    const at = new Matrix4().set(...shape.at);
    if (shape.kind === "mesh") at.multiply(new Matrix4().makeScale(...shape.size));
    for (const [geometry, own] of pieces(shape)) {
      const look = paint(shape, own);
      const key = at.determinant() > 0 ? `${shape.body} ${look.id}` : `mirrored ${together.size}`; // a mirror image keeps its own matrix
      if (!together.has(key)) together.set(key, { body: shape.body, look, parts: [] });
      together.get(key).parts.push([geometry, at]);
    }
  }
  for (const { body, look, parts } of together.values()) add(body, look, parts);
  for (const rail of data.rails) {
    const mesh = new Mesh(new CylinderGeometry(rail.radius, rail.radius, 1, 32).applyMatrix4(UPRIGHT), material(rail.body, "rail", new Color(0x9fa8b2), 0.3, 0.4));
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = mesh.receiveShadow = true;
    root.add(mesh);
    rails.push({ ...rail, mesh });
  }
  place();
}

function add(body, look, parts) {
  const [[first, at]] = parts;
  const mesh = new Mesh(parts.length > 1 ? merged(parts) : first, look);
  mesh.userData.body = body;
  mesh.matrixAutoUpdate = false;
  if (parts.length === 1) mesh.matrix.copy(at);
  mesh.castShadow = mesh.receiveShadow = true;
  groups[body].add(mesh);
}

function merged(parts) {
  const plain = parts.map(([geometry, at]) => {
    const made = geometry.index ? geometry.toNonIndexed() : geometry.clone();
    made.deleteAttribute("uv");
    return made.applyMatrix4(at);
  });
  return mergeGeometries(plain);
}

// --- collision shapes, and the ghost of a second run -------------------------------------------------------------------------------
const bare = { on: false, groups: [] };
const ghost = { groups: [], shown: true };

/** Shapes that collisions are found with, in place of the ones that are looked at. */
export function showCollisions(on) {
  if (on && !bare.groups.length) {
    const look = new MeshStandardMaterial({ color: 0x2a9d8f, roughness: 0.6, transparent: true, opacity: 0.55, side: DoubleSide, depthWrite: false });
    for (const group of groups) {
      const own = new Group();
      group.add(own);
      bare.groups.push(own);
    }
    const meshes = unpack(data.collisionMeshes);
    for (const shape of data.collisions) {
      const at = new Matrix4().set(...shape.at);
      if (shape.kind === "mesh") at.multiply(new Matrix4().makeScale(...shape.size));
      for (const [geometry] of pieces(shape, meshes)) {
        const mesh = new Mesh(geometry, look);
        mesh.userData.body = shape.body;
        mesh.matrixAutoUpdate = false;
        mesh.matrix.copy(at);
        bare.groups[shape.body].add(mesh);
      }
    }
  }
  bare.on = on;
  groups.forEach((group, i) => group.children.forEach((child) => (child.visible = child === bare.groups[i] ? on : !on)));
  for (const { mesh } of rails) mesh.visible = !on;
}

/** The robot once more, see-through. */
export function buildGhost() {
  const look = new MeshStandardMaterial({ color: 0x0a66a8, roughness: 0.7, transparent: true, opacity: 0.28, depthWrite: false });
  for (const group of groups) {
    const made = new Group();
    made.matrixAutoUpdate = false;
    for (const child of group.children) {
      if (!child.isMesh) continue;
      const mesh = new Mesh(child.geometry, look);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(child.matrix);
      made.add(mesh);
    }
    root.add(made);
    ghost.groups.push(made);
  }
}

export function placeGhost(q) {
  if (!ghost.groups.length || !ghost.shown) return;
  bodyPosesAt(q).forEach((pose, i) => {
    into(ghost.groups[i].matrix, pose);
    ghost.groups[i].matrixWorldNeedsUpdate = true;
  });
}

export function showGhost(on) {
  ghost.shown = on;
  for (const group of ghost.groups) group.visible = on;
}

/** Where the ghost has a body; for tests. */
export const ghostPose = (i) => ghost.groups[i]?.matrix.clone().transpose().elements ?? null;

/** Which body a drawn object belongs to; -1 for none. */
export const bodyOf = (object) => object.userData.body ?? -1;

/** What a sliding joint slides on: from where it is fixed to where the body is. */
function stretch({ mesh, body, at }) {
  const foot = into(new Matrix4(), bodyPose(data.bodies[body].parent)).multiply(into(new Matrix4(), at));
  const slid = foot.clone().invert().multiply(into(new Matrix4(), bodyPose(body)));
  const rise = slid.elements[14];
  mesh.matrix.copy(foot).multiply(new Matrix4().makeTranslation(0, 0, rise / 2)).multiply(new Matrix4().makeScale(1, 1, Math.abs(rise) || 1e-9));
  mesh.matrixWorldNeedsUpdate = true;
}

export function place() {
  rails.forEach(stretch);
  groups.forEach((group, i) => {
    into(group.matrix, bodyPose(i));
    group.matrixWorldNeedsUpdate = true;
  });
}

/** See-through while marks inside the bodies are shown; the chosen body glows. */
export function dress(xray) {
  for (const m of materials.values()) {
    const { opacity, body } = m.userData;
    m.opacity = xray ? Math.min(opacity, dark() ? 0.3 : 0.34) : opacity;
    m.transparent = m.opacity < 1;
    m.side = xray ? FrontSide : DoubleSide; // far walls would only darken what one looks through
    m.color.copy(xray ? m.userData.pale : m.userData.color);
    const on = state.selected > 0 && body === state.selected;
    m.emissive.copy(on ? SELECTED : new Color(0));
    m.emissiveIntensity = on ? 0.55 : 0;
    m.needsUpdate = true;
  }
}
