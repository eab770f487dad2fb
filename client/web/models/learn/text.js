// Texts of lessons: they mark terms by brackets, as `[chain]`, or as `[chain|two chains]` to show other words.

import { tr } from "../../texts.js";

/** The fields of lessons that are no texts for people. */
const NAMES = ["name", "id", "kind", "game", "size", "move", "exercises"];

const MARK = /\[([^[\]|]+)(?:\|([^[\]|]+))?\]/g;

/**
 * Return the pieces of a text; `term` is the term that a piece names, or empty.
 * @param {string} text
 * @returns {{text: string, term: string}[]}
 */
export function parts(text) {
  const found = [];
  let at = 0;
  for (const mark of text.matchAll(MARK)) {
    if (mark.index > at) found.push({ text: text.slice(at, mark.index), term: "" });
    found.push({ text: mark[2] ?? mark[1], term: mark[1] });
    at = mark.index + mark[0].length;
  }
  if (at < text.length) found.push({ text: text.slice(at), term: "" });
  return found;
}

/**
 * Return a text without its marks.
 * @param {string} text
 */
export const plain = (text) => parts(text).map((part) => part.text).join("");

/**
 * Return a lesson or the course with each text in the language of the page.
 * @template T
 * @param {T} value
 * @param {string} [key]
 * @returns {T}
 */
export function translated(value, key = "") {
  /** @type {any} */
  const any = value;
  if (typeof any === "string") return /** @type {any} */ (NAMES.includes(key) ? any : tr(any));
  if (Array.isArray(any)) return /** @type {any} */ (any.map((each) => translated(each, key)));
  if (any === null || typeof any !== "object") return any;
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(any).map(([name, each]) => [name, translated(each, name)]))
  );
}
