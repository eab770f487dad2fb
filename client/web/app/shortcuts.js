// The keyboard shortcuts of the whole page.

/**
 * Open the list of shortcuts on `?`.
 * @param {import("./app.js").App} app
 * @param {Document} document
 */
export function listenToKeys(app, document) {
  document.addEventListener("keydown", (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (event.key !== "?" || !plain || typing(event) || !app.settings.shortcuts.value) return;
    event.preventDefault();
    app.dialog.value = "shortcuts";
  });
}

/**
 * Return whether a key belongs to a text field.
 * @param {Event} event
 */
export function typing(event) {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=radio],[type=checkbox],[type=range]),textarea,select");
}
