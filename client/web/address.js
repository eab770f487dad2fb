// Find the files of the page that its modules name: pictures, styles, and scripts that are no modules.
// Find the server too, which may lie below a path, such as /games behind a proxy.
//
// It lies at the top of the folder, as the file does that a bundler makes of it.

const here = new URL(import.meta.url);

/** The path below which the server answers, such as `/games`; usually empty. */
export const BASE = here.protocol === "file:" ? "" : new URL("../..", here).pathname.replace(/\/$/, "");

/**
 * Return the address of a file of the page, such as `icons/icon.svg`.
 * @param {string} path
 */
export function address(path) {
  return new URL(path, here).href;
}

/**
 * Return where the browser finds a path of the server, such as `/room/x`. Other addresses stay as they are.
 * @param {string} path
 */
export function outer(path, base = BASE) {
  return path.startsWith("/") ? base + path : path;
}

/**
 * Return the path of the server at a path of the browser, or null if it is not the server's.
 * @param {string} path
 */
export function inner(path, base = BASE) {
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : null;
}
