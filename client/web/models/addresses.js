// Write and read addresses of the page.

/** @import { MatchSettings } from "../types/wire" */

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
 * Return the address of an open offer; what it offers stays behind the #, for when it is over.
 * @param {string} seek
 * @param {MatchSettings} settings
 */
export function seekPath(seek, { game, params = {}, time, rated, evaluation }) {
  const told = Object.entries({ game, ...params, ...time }).filter(([, value]) => value != null);
  const query = new URLSearchParams(/** @type {[string, string][]} */ (told));
  if (rated) query.set("rated", "1");
  if (evaluation) query.set("evaluation", "1");
  return `/seek/${encodeURIComponent(seek)}#${query}`;
}

/**
 * Return the settings in the fragment of such an address, or null.
 * @param {string} hash
 * @returns {MatchSettings | null}
 */
export function offeredIn(hash) {
  const { game, rated, evaluation, base_ms, increment_ms, move_ms, ...params } = Object.fromEntries(
    new URLSearchParams(hash.slice(1)),
  );
  if (!game) return null;
  const time = {
    base_ms: base_ms ? Number(base_ms) : null,
    increment_ms: Number(increment_ms ?? 0),
    move_ms: move_ms ? Number(move_ms) : null,
  };
  const sizes = Object.fromEntries(Object.entries(params).map(([name, text]) => [name, Number(text)]));
  return { game, params: sizes, opening: [], start: [], time, rated: rated === "1", evaluation: evaluation === "1" };
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
