// Find the files of the page that its modules name: pictures, styles, and scripts that are no modules.
//
// It lies at the top of the folder, as the file does that a bundler makes of it.

/**
 * Return the address of a file of the page, such as `icons/icon.svg`.
 * @param {string} path
 */
export function address(path) {
  return new URL(path, import.meta.url).href;
}
