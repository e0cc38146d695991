// Playback of a run: a clock, a time slider, curves.
import { unit } from "./chain.js";
import { Curves } from "./curves.js";
import { data, floats } from "./data.js";
import { $, say } from "./dom.js";
import * as marks from "./marks.js";
import { placeGhost } from "./robot.js";
import { beforeFrame, invalidate } from "./stage.js";
import { select as choose, setJoints, state } from "./state.js";

const unpacked = (given) => given && { count: given.count, ...Object.fromEntries(["t", "q", "qd", "tau", "energy"].map((key) => [key, floats(given[key])])) };
export const run = unpacked(data.run);
export const ghost = unpacked(data.ghost);
const clock = { time: run ? run.t[0] : 0, playing: false, speed: 1, last: 0 };
const curves = [];

export const time = () => clock.time;
export const duration = () => (run ? run.t[run.count - 1] - run.t[0] : 0);
/** Title, range and ticks of each curve. */
export const axes = () => curves.map(({ title, low, high, texts }) => ({ title, low, high, texts }));
export const playing = () => clock.playing;

/** Where a time lies: sample k with share a, sample k + 1 with share b. */
function where(time, of = run) {
  let [low, high] = [0, of.count - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (of.t[middle] <= time) low = middle;
    else high = middle;
  }
  const b = Math.min(1, Math.max(0, (time - of.t[low]) / (of.t[high] - of.t[low])));
  return { k: low, a: 1 - b, b };
}

/** Velocities, accelerations and joint forces of the run now, by differences where it does not carry them. */
export function rates() {
  const at = where(clock.time);
  const n = data.n;
  const row = (values, k) => values.subarray(k * n, k * n + n);
  const mixed = (values) => row(values, at.k).map((x, c) => at.a * x + at.b * row(values, at.k + 1)[c]);
  const step = run.t[at.k + 1] - run.t[at.k];
  const qd = run.qd ? mixed(run.qd) : data.plain ? row(run.q, at.k).map((x, c) => (row(run.q, at.k + 1)[c] - x) / step) : new Float32Array(n);
  const qdd = run.qd ? row(run.qd, at.k).map((x, c) => (row(run.qd, at.k + 1)[c] - x) / step) : new Float32Array(n);
  return { qd: Float64Array.from(qd), qdd: Float64Array.from(qdd), tau: run.tau ? Float64Array.from(mixed(run.tau)) : null };
}

/** The ghost's coordinates now. */
const ghostNow = () => configuration(where(clock.time, ghost), ghost);

function configuration({ k, a, b }, run) {
  const q = new Float64Array(data.nq);
  const [from, to] = [k * data.nq, (k + 1) * data.nq];
  for (let c = 0; c < data.nq; c++) q[c] = a * run.q[from + c] + b * run.q[to + c];
  for (const { at, either } of data.directions) { // a quaternion and its opposite are one attitude: along the shorter way
    const dot = at.reduce((sum, c) => sum + run.q[from + c] * run.q[to + c], 0);
    if (either && dot < 0) for (const c of at) q[c] = a * run.q[from + c] - b * run.q[to + c];
  }
  return unit(q);
}

export function seek(time) {
  if (!run) return;
  clock.time = Math.min(run.t[run.count - 1], Math.max(run.t[0], time));
  const at = where(clock.time);
  setJoints(configuration(at, run));
  if (ghost) placeGhost(ghostNow());
  show(at);
}

function show(at = where(clock.time)) {
  const share = (clock.time - run.t[0]) / duration();
  $("time").value = String(share);
  $("time").style.setProperty("--to", `${100 * share}%`);
  $("time").setAttribute("aria-valuetext", `${clock.time.toFixed(2)} s`);
  say($("clock"), `${clock.time.toFixed(2)} / ${run.t[run.count - 1].toFixed(2)} s`);
  for (const curve of curves) curve.draw(clock.time, at);
  marks.traceUntil(share);
}

export function play() {
  if (!run) return;
  if (clock.time >= run.t[run.count - 1]) clock.time = run.t[0];
  clock.playing = true;
  clock.last = 0;
  button();
  tick();
}

export function pause() {
  clock.playing = false;
  button();
}

function button() {
  $("play").setAttribute("aria-label", clock.playing ? "pause" : "play");
  $("play").dataset.playing = String(clock.playing);
}

function step(now) {
  if (!clock.playing) return false;
  const passed = clock.last ? Math.min(0.25, (now - clock.last) / 1000) : 0;
  clock.last = now;
  const next = clock.time + clock.speed * passed;
  seek(next);
  if (next >= run.t[run.count - 1]) {
    if ($("loop").checked) clock.time = run.t[0];
    else pause();
  }
  return clock.playing;
}

let drawing = false;

function tick() {
  invalidate();
  if (!drawing) requestAnimationFrame(alone);
}

/** The clock where no 3-D view drives it. */
function alone(now) {
  if (!drawing && step(now)) requestAnimationFrame(alone);
}

export function build(threeD) {
  if (!run) return;
  drawing = threeD;
  $("dock").hidden = $("transport").hidden = false;
  const names = [];
  for (const j of data.joints) for (let k = 0; k < j.nv; k++) names[j.iv + k] = j.nv > 1 ? `${j.name} ${k + 1}` : j.name;
  const select = (c) => choose(data.joints.find((j) => c >= j.iv && c < j.iv + j.nv).body);
  const common = { t: run.t, ghost, onName: select, onTime: (s) => (pause(), seek(s)) };
  const turning = data.joints.every((j) => j.turns.every(Boolean));
  if (run.tau) curves.push(new Curves($("curves"), { ...common, title: "Torques", unit: turning ? "N m" : "N m, N", values: run.tau, other: "tau", columns: data.n, names }));
  if (data.plain) curves.push(new Curves($("curves"), { ...common, title: "Joints", unit: turning ? "rad" : "rad, m", values: run.q, other: "q", columns: data.nq, names }));
  if (run.energy) curves.push(new Curves($("curves"), { ...common, title: "Energy", unit: "J", values: run.energy, other: "energy", columns: 1, names: [""] }));
  $("play").addEventListener("click", () => (clock.playing ? pause() : play()));
  $("time").addEventListener("input", () => {
    pause();
    seek(run.t[0] + Number($("time").value) * duration());
  });
  $("speed").addEventListener("change", () => (clock.speed = Number($("speed").value)));
  beforeFrame(step);
  $("time").style.setProperty("--from", "0%");
  button();
  seek(run.t[0]);
}

export function refresh() {
  if (!run) return;
  const joint = data.joints.find((j) => j.body === state.selected);
  for (const curve of curves) curve.chosen = joint && curve.columns > 1 ? joint.iv : -1;
  show();
}
