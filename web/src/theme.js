// Light and dark: the system's choice until the reader makes one.
const system = window.matchMedia ? window.matchMedia("(prefers-color-scheme: dark)") : { matches: false, addEventListener() {} };
const listeners = new Set();
const inks = new Map();
let chosen = null;

export const dark = () => (chosen ?? (system.matches ? "dark" : "light")) === "dark";

export function onTheme(listener) {
  listeners.add(listener);
}

export function setTheme(name) {
  chosen = name;
  apply();
}

export const toggleTheme = () => setTheme(dark() ? "light" : "dark");

function apply() {
  inks.clear();
  document.documentElement.dataset.theme = dark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

system.addEventListener("change", () => chosen === null && apply());
document.documentElement.dataset.theme = dark() ? "dark" : "light";

/** A colour of the style sheet; looked up once for each theme, for it makes the browser compute styles. */
export function ink(name) {
  if (!inks.has(name)) inks.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return inks.get(name);
}

// Okabe and Ito's colours, told apart by nearly everyone; every second turn of the list is dashed.
export const SERIES = { light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9"], dark: ["#5ab4f0", "#ff8f45", "#2fc79a", "#e49ac4", "#e6c229", "#9ad4f7"] };
export const series = (k) => ({ color: SERIES[dark() ? "dark" : "light"][k % 6], dash: [[], [5, 3], [2, 2]][Math.floor(k / 6) % 3] });

const HEAT = { light: { below: [36, 113, 190], above: [224, 110, 20], most: 0.8 }, dark: { below: [64, 150, 230], above: [236, 132, 40], most: 0.85 } };

/** A signed value in [-1, 1] as a colour and how much of it: blue below zero, orange above. */
export function heat(x) {
  const { below, above, most } = HEAT[dark() ? "dark" : "light"];
  return { rgb: x < 0 ? below : above, share: Math.min(1, Math.abs(x)) * most };
}

export function signed(x) {
  const { rgb, share } = heat(x);
  return `rgba(${rgb},${share.toFixed(2)})`;
}
