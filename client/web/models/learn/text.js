// Texts of lessons: they mark terms by brackets, as `[chain]`, or as `[chain|two chains]` to show other words.

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
