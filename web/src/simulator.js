// The simulation on the page: run, pause, reset, gravity, damping, and a pull.
import { data } from "./data.js";
import { $, el, say } from "./dom.js";
import { missing, Motion } from "./motion.js";
import { beforeFrame, invalidate } from "./stage.js";
import { onChange, setJoints, state } from "./state.js";

const now = { motion: null, on: false, going: false, last: 0, start: null, ours: false, speed: 1, drawing: false };
let begun = () => {};

export { missing };
export const running = () => now.on && now.going;
export const shown = () => now.on;
export const motion = () => (now.on ? now.motion : null);

export function toggle(on = !now.on) {
  if (missing) return;
  now.on = on;
  $("act-simulate").setAttribute("aria-pressed", String(on));
  $("simulation").hidden = !on;
  $("dock").hidden = !on && !data.run;
  if (on) {
    now.start = Float64Array.from(state.q);
    now.motion ??= new Motion(state.q);
    now.motion.reset(state.q);
    begun();
    go(true);
  } else {
    release();
    go(false);
  }
}

export function go(on) {
  now.going = on && now.on;
  now.last = 0;
  say($("sim-run"), now.going ? "pause" : "run");
  if (!now.going) now.motion?.set({ pull: null });
  tick();
}

function tick() {
  invalidate();
  if (!now.drawing && now.going) requestAnimationFrame(function alone(t) {
    if (!now.drawing && step(t)) requestAnimationFrame(alone);
  });
}

export function reset() {
  if (!now.on) return;
  now.motion.reset(now.start);
  show();
}

function show() {
  now.ours = true;
  setJoints(now.motion.q);
  now.ours = false;
  const slow = now.speed < 0.8 ? `, ${now.speed.toPrecision(1)} × real time` : "";
  say($("sim-clock"), `${now.motion.t.toFixed(2)} s${slow}`);
  say($("sim-note"), now.motion.trouble ? `stopped: ${now.motion.trouble}` : "pull at the robot with the mouse or a finger");
}

function step(time) {
  if (!running()) return false;
  const passed = now.last ? Math.min(0.1, (time - now.last) / 1000) : 0;
  now.last = time;
  const before = now.motion.t;
  now.motion.run(before + passed, 12);
  if (passed > 0) now.speed += 0.1 * ((now.motion.t - before) / passed - now.speed);
  show();
  if (now.motion.pull) say($("status"), `${Math.hypot(...now.motion.pulled().force).toPrecision(3)} N`);
  if (now.motion.trouble) go(false);
  return running();
}

export function grab(body, point) {
  if (running()) now.motion.grab(body, point);
}

export function pullTo(target) {
  if (now.motion?.pull) now.motion.set({ pull: { ...now.motion.pull, target } });
}

export function release() {
  if (now.motion?.pull) now.motion.set({ pull: null });
}

/** Moves the simulation on by so many seconds, for scripts. */
export function advance(seconds) {
  if (!now.on) throw new RangeError("the simulation is off");
  now.motion.run(now.motion.t + seconds, 60_000);
  show();
}

export function build(threeD, onBegin) {
  now.drawing = threeD;
  begun = onBegin;
  $("acts").append(el("button", { type: "button", class: "act", id: "act-simulate", "aria-pressed": "false", disabled: Boolean(missing), text: "Simulate", title: missing || "let the robot go: forward dynamics, live", onclick: () => toggle() }));
  if (missing) return;
  $("sim-run").addEventListener("click", () => go(!now.going));
  $("sim-reset").addEventListener("click", reset);
  $("sim-gravity").addEventListener("change", () => now.motion?.set({ gravity: $("sim-gravity").checked }));
  $("sim-brake").addEventListener("change", () => now.motion?.set({ brake: $("sim-brake").checked }));
  onChange((what) => {
    if (what === "q" && now.on && !now.ours) now.motion.reset(state.q); // a joint was moved by hand
  });
  beforeFrame(step);
}
