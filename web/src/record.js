// A picture or a film of what is seen: the 3-D view on its background, with labels.
import { data } from "./data.js";
import { $, el, say } from "./dom.js";
import * as player from "./player.js";
import { afterFrame, drawNow, invalidate, view } from "./stage.js";
import { ink } from "./theme.js";

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const FRAME = 1000; // bytes: more than the head of a file, less than its first frame
const PATIENCE = 20_000; // ms for a first frame, where a loaded processor encodes
let film = null; // what is being recorded

/** Why there are no films; nothing where there are. */
const missing = () => (typeof MediaRecorder === "undefined" || !HTMLCanvasElement.prototype.captureStream ? "this browser records no films" : "");
const name = () => data.title.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|-+$/g, "").slice(0, 60) || "robot";

function save(blob, ending) {
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: `${name()}.${ending}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The view as it is now, onto a canvas. */
function compose(canvas) {
  const source = view.renderer.domElement;
  const [w, h] = [source.width, source.height];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const pen = canvas.getContext("2d");
  const ground = pen.createRadialGradient(w / 2, 0.42 * h, 0, w / 2, 0.42 * h, 0.75 * w);
  ground.addColorStop(0, ink("--ground2"));
  ground.addColorStop(1, ink("--ground"));
  pen.fillStyle = ground;
  pen.fillRect(0, 0, w, h);
  pen.drawImage(source, 0, 0);
  const ratio = w / source.clientWidth;
  const box = source.getBoundingClientRect();
  pen.textBaseline = "middle";
  for (const tag of $("labels").querySelectorAll(".tag:not([hidden])")) {
    const at = tag.getBoundingClientRect();
    const bare = tag.classList.contains("bare");
    pen.font = `${bare ? "italic " : ""}${(bare ? 17 : 11) * ratio}px ${ink(bare ? "--serif" : "--sans")}`;
    pen.fillStyle = ink("--glass");
    if (!bare) pen.fillRect((at.left - box.left) * ratio, (at.top - box.top) * ratio, at.width * ratio, at.height * ratio);
    pen.fillStyle = ink("--ink");
    pen.fillText(tag.textContent, (at.left - box.left + 5) * ratio, (at.top - box.top + at.height / 2) * ratio, at.width * ratio);
  }
  return canvas;
}

/** The picture as a PNG. */
export function picture() {
  drawNow();
  const canvas = compose(document.createElement("canvas"));
  invalidate();
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** One frame more of a film. */
function copy(of = film) {
  compose(of.canvas);
  of.track.requestFrame?.();
}
const follow = () => copy();

export function start() {
  const canvas = document.createElement("canvas");
  drawNow();
  compose(canvas);
  const chunks = [];
  const kind = KINDS.find((k) => MediaRecorder.isTypeSupported(k));
  const stream = canvas.captureStream(30);
  const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 8e6 });
  const mine = { recorder, canvas, track: stream.getVideoTracks()[0], bytes: 0 };
  film = mine;
  recorder.addEventListener("dataavailable", (event) => {
    mine.bytes += event.data.size;
    if (event.data.size) chunks.push(event.data);
  });
  const ended = new Promise((done) => recorder.addEventListener("stop", () => done(new Blob(chunks, { type: kind.split(";")[0] }))));
  afterFrame(follow);
  recorder.start(100); // ms: what is encoded arrives in pieces, so that stop() knows of a first frame
  button();
  if (player.run && !player.playing()) player.play();
  watch();
  return ended;
}

/** A run that ends ends its film. */
function watch(was = false) {
  if (!film) return;
  const plays = player.playing();
  if (was && !plays) return stop();
  setTimeout(() => watch(plays), 120);
}

export function stop() {
  if (!film) return;
  const mine = film;
  film = null;
  afterFrame(follow, false);
  button();
  drawNow(); // the last frame, however slow the others were
  const begun = performance.now();
  const last = () => {
    copy(mine);
    const empty = mine.bytes < FRAME && performance.now() - begun < PATIENCE;
    setTimeout(empty ? last : () => mine.recorder.stop(), 150);
  };
  copy(mine);
  setTimeout(last, 150);
}

function button() {
  $("act-film").setAttribute("aria-pressed", String(Boolean(film)));
  say($("act-film"), film ? "Stop film" : "Film");
}

export function build() {
  const why = missing();
  $("acts").append(
    el("button", { type: "button", class: "act", id: "act-picture", text: "Picture", title: "saves what is seen as a PNG", onclick: async () => save(await picture(), "png") }),
    el("button", {
      type: "button", class: "act", id: "act-film", text: "Film", "aria-pressed": "false", disabled: Boolean(why), title: why || "records what is seen, as a WebM file, until it is pressed again or the run ends",
      onclick: async () => {
        if (film) return stop();
        const made = await start();
        save(made, made.type.includes("mp4") ? "mp4" : "webm");
      },
    }),
  );
}
