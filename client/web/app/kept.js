// What a page keeps in its entry of the browser's history: it is there again after a reload, and on the way back.

/**
 * Return what was kept, or undefined.
 * @param {string} name
 * @returns {any}
 */
export function kept(name) {
  return history.state?.[name];
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  // Browsers refuse a page that writes all the time.
  if (JSON.stringify(kept(name)) !== JSON.stringify(value)) history.replaceState({ ...history.state, [name]: value }, "");
}
