// Puts the page together and leaves `window.ordern` for scripts.
import { data } from "./data.js";
import { $, el, watch } from "./dom.js";
import * as chain from "./chain.js";
import * as dynamics from "./dynamics.js";
import * as forces from "./forces.js";
import * as handle from "./handle.js";
import * as joints from "./joints.js";
import * as live from "./live.js";
import * as marks from "./marks.js";
import * as player from "./player.js";
import { reach } from "./reach.js";
import * as record from "./record.js";
import * as robot from "./robot.js";
import * as simulator from "./simulator.js";
import { beforeFrame, boxOf, followPoint, invalidate, level, look3d, root, settle, start, still, view } from "./stage.js";
import * as states from "./state.js";
import * as teach from "./teach.js";
import { onTheme, setTheme, toggleTheme } from "./theme.js";

const index = new Map(data.links.map((l, k) => [l.name, k]));
let threeD = false;

function heading() {
  const mass = data.bodies.slice(1).reduce((sum, b) => sum + b.mass, 0);
  $("title").textContent = data.title;
  const count = (k, one, many) => `${k} ${k === 1 ? one : many}`;
  $("subtitle").textContent = [data.freedom, count(data.links.length, "link", "links"), `${Number(mass.toPrecision(3))} kg`].join("  ·  ");
}

/** The box that the robot fills, now and in a run. */
function swept() {
  const box = boxOf(root);
  if (!player.run) return box;
  const { q, count } = player.run;
  for (let k = 0; k < 12; k++) {
    const at = Math.floor((k * (count - 1)) / 11) * data.nq;
    states.setJoints(q.subarray(at, at + data.nq));
    robot.place();
    box.union(boxOf(root));
  }
  return box;
}

const TOGGLES = [
  ["frames", "Frames", "x, y, z of every link"],
  ["axes", "Axes", "what the joints turn about or slide along"],
  ["labels", "Names", "the joints' numbers and names"],
  ["centers", "Mass centres", "of every link"],
  ["links", "Link inertia", "ellipsoids of gyration of the links, about their mass centres"],
  ["composite", "Composite", "inertia of each body with all it carries, its joints locked (the papers' M-tilde)"],
  ["articulated", "Articulated", "inertia of each body with all it carries, its joints free, at the body's mass centre (the papers' M-hat)"],
];

/** What is shown besides the marks: how it is switched, and why it is missing. */
const MORE = [
  ["forces", "Forces", "arrows for weights, what joints pass on, torques, what closes loops, and the pull", forces.show, () => (data.n ? "" : "no joint moves")],
  ["collisions", "Collision", "the shapes that collisions are found with", robot.showCollisions, () => (data.collisions.length ? "" : "this robot has no collision shapes")],
  ["dh", "DH frames", "Denavit-Hartenberg frames, step by step", teach.show, () => teach.missing],
  ["follow", "Follow", "the camera goes along with the chosen link", (on) => (on ? null : followPoint(null)), () => ""],
  ["ghost", "Second run", "the robot in the second run", robot.showGhost, () => (player.ghost ? "" : null)],
];
const more = { ghost: true };

function toggles() {
  for (const [name, text, title] of TOGGLES) {
    const missing = ["articulated", "composite"].includes(name) && !states.has(name);
    const held = name === "articulated" && data.coupled;
    const chip = el("button", { type: "button", class: `chip ${name}`, "aria-pressed": "false", title: held ? `${title}; joints that follow others, and those they follow, are held` : title, disabled: missing, text });
    if (missing) chip.title = data.absent[name] ?? "not defined for this robot: some joint moves no mass";
    chip.addEventListener("click", () => show(name, !marks.shown[name]));
    chip.id = `show-${name}`;
    $("chips").append(chip);
  }
  if (player.run) $("chips").append(el("button", { type: "button", class: "chip", id: "show-trace", "aria-pressed": "true", title: "the path of the chosen link", text: "Path", onclick: () => show("trace", !marks.shown.trace) }));
  for (const [name, text, title, , missing] of MORE) {
    const why = missing();
    if (why === null) continue;
    const chip = el("button", { type: "button", class: "chip", id: `show-${name}`, "aria-pressed": String(Boolean(more[name])), disabled: Boolean(why) || !threeD, title: why || title, text, onclick: () => show(name, !more[name]) });
    $("chips").append(chip);
  }
}

/** Tools that this page has not, and why: a title on a disabled button is not seen on a touch screen. */
function absences() {
  const list = [["Drag tool", handle.missing], ["Simulate", simulator.missing], ["DH frames", teach.missing], ["Closed loops", chain.open]].filter(([, why]) => why);
  $("absent").append(...list.map(([what, why]) => el("li", { text: `Not on this page: ${what}. Reason: ${why}.` })));
  $("absent").hidden = !list.length;
}

function show(name, on = true) {
  const own = MORE.find(([known]) => known === name);
  if (own) {
    if (own[4]() !== "") return;
    more[name] = on;
    own[3](on);
    $(`show-${name}`)?.setAttribute("aria-pressed", String(on));
    invalidate();
    return;
  }
  if (!(name in marks.shown)) throw new RangeError(`there is nothing called ${name} to show`);
  marks.shown[name] = on;
  $(`show-${name}`)?.setAttribute("aria-pressed", String(on));
  if (threeD) {
    robot.dress(marks.inside());
    marks.place();
    invalidate();
  }
}

function changed(what) {
  if (threeD) {
    if (what === "q") robot.place();
    else robot.dress(marks.inside());
    marks.place();
    forces.place();
    teach.place();
    invalidate(true);
  }
  if (what === "q" && !player.playing() && !simulator.running()) joints.refresh();
  if (what !== "q") {
    joints.mark();
    player.refresh();
  }
  later();
}

/** Tables follow once a frame; while a run plays, as often as one can read them, with the sliders. */
const tables = { waiting: false, last: 0, cost: 0 };
function later() {
  if (tables.waiting) return;
  tables.waiting = true;
  requestAnimationFrame(function follow(now) {
    if ((player.playing() || simulator.running()) && now - tables.last < 90) {
      requestAnimationFrame(follow);
      return;
    }
    Object.assign(tables, { waiting: false, last: now });
    const began = performance.now();
    joints.refresh();
    dynamics.refresh();
    tables.cost += performance.now() - began;
  });
}

function keys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === " " && event.target.tagName !== "BUTTON" && player.run) {
      event.preventDefault();
      if (!player.playing()) simulator.toggle(false);
      player.playing() ? player.pause() : player.play();
    } else if (event.key === "h") look3d("home");
    else if (event.key === "Escape" && states.state.selected > 0) states.select(states.state.selected);
  });
}

function boot() {
  heading();
  joints.build();
  dynamics.build((k) => {
    if (threeD && player.run) marks.traceLink(player.run.q, player.run.count, k);
    player.refresh();
    followPoint(null);
    invalidate();
  });
  threeD = start($("canvas"));
  if (threeD) {
    robot.build();
    settle(swept(), data.reach);
    marks.build();
    if (player.ghost) robot.buildGhost();
    handle.build(dynamics.tool);
    beforeFrame(() => {
      if (more.follow) followPoint([3, 7, 11].map((k) => states.linkPose(dynamics.tool())[k]));
    });
    beforeFrame(() => {
      marks.placeGravity();
      marks.labels($("labels"));
      teach.labels($("labels"));
    });
    teach.build();
    if (player.run) marks.traceLink(player.run.q, player.run.count, dynamics.tool());
  } else {
    $("nothing").hidden = false;
  }
  simulator.build(threeD, () => player.pause());
  if (threeD) record.build();
  toggles();
  absences();
  for (const name of ["home", "front", "side", "top"]) $(`view-${name}`).addEventListener("click", () => threeD && look3d(name));
  $("theme").addEventListener("click", toggleTheme);
  for (const id of ["play", "time"]) $(id).addEventListener("pointerdown", () => simulator.toggle(false)); // one of both moves the robot
  onTheme(() => {
    dynamics.refresh();
    player.refresh();
    if (threeD) robot.dress(marks.inside());
  });
  states.onChange(changed);
  player.build(threeD);
  changed("selection");
  changed("q");
  dynamics.refresh();
  const moved = () => {
    marks.makeRoom();
    invalidate();
  };
  for (const id of ["labels", "chips", "legend", "teach"]) watch($(id), moved);
  keys();
  live.build(threeD, later);
  if (data.dh?.open) show("dh");
  document.documentElement.dataset.ready = "true";
}

window.ordern = Object.freeze({
  names: { links: data.links.map((l) => l.name), joints: data.joints.map((j) => j.name) },
  n: data.n,
  nq: data.nq,
  joints: () => Array.from(states.state.q),
  setJoints: (q) => states.setJoints(q),
  linkPose(name) {
    if (!index.has(name)) throw new RangeError(`there is no link called ${name}`);
    return Array.from(states.linkPose(index.get(name)));
  },
  curves: () => player.axes(),
  gravityArrow: () => marks.gravityArrow(),
  massMatrix: () => Array.from(states.mass() || []),
  factors: () => (states.factors() ? { U: Array.from(states.factors().U), D: Array.from(states.factors().D) } : null),
  gravityForces: () => Array.from(states.gravity() || []),
  ellipsoids: (kind) => states.ellipsoids(kind).map((e) => ({ body: e.body, radii: e.radii })),
  select: (body) => states.select(body),
  show,
  look: (name) => look3d(name),
  theme: (name) => setTheme(name),
  /** Brings the origin of a link (or a point of it) to a place: {q, far, success}; the robot goes there. */
  reach(name, point, rounds = 100) {
    if (!index.has(name)) throw new RangeError(`there is no link called ${name}`);
    const { body, at } = data.links[index.get(name)];
    if (handle.missing) throw new RangeError(handle.missing);
    const found = reach(states.state.q, { body, point: [at[3], at[7], at[11]] }, { point }, rounds);
    states.setJoints(found.q);
    return { q: Array.from(found.q), far: found.far, success: found.success };
  },
  drag: (on) => handle.toggle(on),
  simulate: (on) => simulator.toggle(on),
  simulating: () => simulator.running(),
  simulated: () => simulator.motion() && { t: simulator.motion().t, q: Array.from(simulator.motion().q), v: Array.from(simulator.motion().v), pull: simulator.motion().pull && simulator.motion().pulled().force, trouble: simulator.motion().trouble },
  advance: (seconds) => simulator.advance(seconds),
  residual: () => chain.residual(states.state.q),
  forces: () => forces.forces(),
  ghostPose: (body) => robot.ghostPose(body),
  dhStep: (to) => teach.go(to),
  camera: () => ({ position: view.camera.position.toArray(), target: view.controls.target.toArray() }),
  picture: async () => (await record.picture()).size,
  film: { start: () => record.start(), stop: () => record.stop() },
  live: () => ({ ...live.link }),
  play: () => (simulator.toggle(false), player.play()),
  pause: () => player.pause(),
  seek: (time) => player.seek(time),
  time: () => player.time(),
  playing: () => player.playing(),
  duration: () => player.duration(),
  frames: () => view.frames,
  /** Milliseconds of the processor since the page was opened: for the state of each frame, for drawing it, for the tables; how coarse motion is drawn. */
  cost: () => ({ frames: view.frames, own: view.own, drawing: view.drawing, tables: tables.cost, level: level() }),
  drawn: () => threeD,
  still: () => still() && !tables.waiting,
});

boot();
