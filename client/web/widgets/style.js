// Load a style sheet that only some pages need, before such a page is shown.

/** @type {Map<string, Promise<void>>} */
const known = new Map();

/**
 * Load a style sheet once.
 *
 * @param {string} name of the file in the folder `style`
 * @returns {Promise<void>} resolves also if it cannot be loaded: a plain page is better than none
 */
export function loadStyle(name) {
  let loading = known.get(name);
  if (loading === undefined) {
    loading = new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = new URL(`../style/${name}`, import.meta.url).href;
      link.onload = () => done();
      link.onerror = () => done();
      document.head.append(link);
    });
    known.set(name, loading);
  }
  return loading;
}
