// Load the style of a part of the page together with its code. Styles that every page needs are in the document.

import { address } from "../address.js";

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Load `style/NAME.css` and a module at the same time; resolve with what `load` does.
 *
 * Rejects when either cannot be loaded; the next call tries again.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export async function withStyle(name, load) {
  const [found] = await Promise.all([load(), styleOf(name)]);
  return found;
}

/** @param {string} name */
function styleOf(name) {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address(`style/${name}.css`);
  /** @type {Promise<void>} */
  const style = new Promise((done, failed) => {
    link.onload = () => done();
    link.onerror = () => {
      loading.delete(name);
      link.remove();
      failed(new Error(`The style ${name} could not be loaded.`));
    };
  });
  loading.set(name, style);
  document.head.append(link);
  return style;
}
