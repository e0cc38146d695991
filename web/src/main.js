// Puts the page together and leaves `window.ordern` for scripts.
import { data } from "./data.js";
import { $, el, watch } from "./dom.js";
import * as dynamics from "./dynamics.js";
import * as joints from "./joints.js";
import * as marks from "./marks.js";
import * as player from "./player.js";
import * as robot from "./robot.js";
import { beforeFrame, boxOf, invalidate, level, look3d, root, settle, start, still, view } from "./stage.js";
import * as states from "./state.js";
import { onTheme, setTheme, toggleTheme } from "./theme.js";

const index = new Map(data.links.map((l, k) => [l.name, k]));
let threeD = false;

function heading() {
  const mass = data.bodies.slice(1).reduce((sum, b) => sum + b.mass, 0);
  $("title").textContent = data.title;
  const count = (k, one, many) => `${k} ${k === 1 ? one : many}`;
  $("subtitle").textContent = [count(data.n, "degree of freedom", "degrees of freedom"), count(data.links.length, "link", "links"), `${Number(mass.toPrecision(3))} kg`].join("  ·  ");
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

function toggles() {
  for (const [name, text, title] of TOGGLES) {
    const missing = name === "articulated" && !states.has("articulated");
    const held = name === "articulated" && data.coupled;
    const chip = el("button", { type: "button", class: `chip ${name}`, "aria-pressed": "false", title: held ? `${title}; joints that follow others, and those they follow, are held` : title, disabled: missing, text });
    if (missing) chip.title = "not defined for this robot: some joint moves no mass";
    chip.addEventListener("click", () => show(name, !marks.shown[name]));
    chip.id = `show-${name}`;
    $("chips").append(chip);
  }
  if (player.run) $("chips").append(el("button", { type: "button", class: "chip", id: "show-trace", "aria-pressed": "true", title: "the path of the chosen link", text: "Path", onclick: () => show("trace", !marks.shown.trace) }));
}

function show(name, on = true) {
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
    invalidate(true);
  }
  if (what === "q" && !player.playing()) joints.refresh();
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
    if (player.playing() && now - tables.last < 90) {
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
    invalidate();
  });
  threeD = start($("canvas"));
  if (threeD) {
    robot.build();
    settle(swept(), data.reach);
    marks.build();
    beforeFrame(() => {
      marks.placeGravity();
      marks.labels($("labels"));
    });
    if (player.run) marks.traceLink(player.run.q, player.run.count, dynamics.tool());
  } else {
    $("nothing").hidden = false;
  }
  toggles();
  for (const name of ["home", "front", "side", "top"]) $(`view-${name}`).addEventListener("click", () => threeD && look3d(name));
  $("theme").addEventListener("click", toggleTheme);
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
  watch($("labels"), () => invalidate());
  keys();
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
  massMatrix: () => Array.from(states.mass() || []),
  factors: () => (states.factors() ? { U: Array.from(states.factors().U), D: Array.from(states.factors().D) } : null),
  gravityForces: () => Array.from(states.gravity() || []),
  ellipsoids: (kind) => states.ellipsoids(kind).map((e) => ({ body: e.body, radii: e.radii })),
  select: (body) => states.select(body),
  show,
  look: (name) => look3d(name),
  theme: (name) => setTheme(name),
  play: () => player.play(),
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
