// What Python left in the page: the data block and the programs traced for this robot.
export const data = JSON.parse(document.getElementById("data").textContent);
export const programs = globalThis.ordernPrograms || {};

export function bytes(base64) {
  const text = atob(base64);
  const made = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) made[k] = text.charCodeAt(k);
  return made.buffer;
}

export const floats = (base64) => (base64 ? new Float32Array(bytes(base64)) : null);
