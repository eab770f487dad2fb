// Write and read addresses of the page.

/**
 * Return the address of a room's page; the code stays behind the # and is never sent to a server.
 * @param {string} room
 * @param {string | null | undefined} [code]
 */
export function roomPath(room, code) {
  return `/room/${encodeURIComponent(room)}${code ? `#${encodeURIComponent(code)}` : ""}`;
}

/**
 * Return the address of a finished game's page, with the code of its room if that is private.
 * @param {string} game
 * @param {string | null | undefined} [code]
 */
export function gamePath(game, code) {
  return `/game/${encodeURIComponent(game)}${code ? `#${encodeURIComponent(code)}` : ""}`;
}

/**
 * Return a part of an address without its escapes; one that has wrong escapes stays as it is.
 * @param {string} text
 */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
