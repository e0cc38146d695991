// Elements without markup in strings: names of robots reach the page as text only.
export const $ = (id) => document.getElementById(id);

export function el(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (key === "class") made.className = value;
    else if (key === "text") made.textContent = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((c) => c != null));
  return made;
}

const sizes = new WeakMap();

/** Keeps the size of an element, so that no frame has to ask for it: that would make the browser lay out the page. */
export function watch(element, changed = () => {}) {
  new ResizeObserver(() => {
    sizes.set(element, { w: element.clientWidth, h: element.clientHeight });
    changed();
  }).observe(element);
}

export function size(element) {
  if (!sizes.has(element)) sizes.set(element, { w: element.clientWidth, h: element.clientHeight });
  return sizes.get(element);
}

/** Texts and attributes are written only where they differ. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A canvas as sharp as the screen, wiped; of the size that was last watched. */
export function sharp(canvas, { w, h } = size(canvas)) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, w, h);
  return { pen, w, h };
}
