// A page that Python moves: states arrive as events from where the page itself came from.
import { data } from "./data.js";
import { $, say } from "./dom.js";
import { setJoints } from "./state.js";

export const link = { state: data.live ? "connecting" : "none", received: 0 };

export function build(threeD, changed) {
  if (!data.live || typeof EventSource === "undefined") return;
  const source = new EventSource("events");
  const tell = (state, text) => {
    link.state = state;
    say($("status"), text);
  };
  source.addEventListener("open", () => tell("open", ""));
  source.addEventListener("state", (event) => {
    const { q } = JSON.parse(event.data);
    link.received++;
    setJoints(q);
    changed();
  });
  source.addEventListener("end", () => {
    source.close();
    tell("ended", "Python has closed this page; it shows the last state");
  });
  source.addEventListener("error", () => source.readyState === EventSource.CLOSED || tell("lost", "waiting for Python"));
}
