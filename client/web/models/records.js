// Read a game file: the list of its games, and each game as the server describes finished games.

import { tr } from "../texts.js";

/** @import { GameAnswer, GameGeometry } from "../types/api.js" */
/**
 * A game of a file. `number` is its place in the file, from 1; `text` holds its moves and result.
 * @typedef {{number: number, headers: Map<string, string>, text: string}} FileRecord
 */

/** The largest file that is read, in bytes; a file of 15 000 games is smaller. */
export const MOST_BYTES = 16 * 1024 * 1024;
const REQUIRED = ["Game", "Size", "Seat0", "Seat1", "Result"];
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
const HEADER = /^\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)"\]$/;
const CLOCK = /^\{(\d{1,9})\.(\d{3})\}$/;

/** What is wrong with a file, in a sentence for people. */
export class RecordError extends Error {}

/**
 * Return the games of a file, at least one. Their moves are read by `gameOf`.
 *
 * @param {Uint8Array} bytes
 * @returns {FileRecord[]}
 */
export function readRecords(bytes) {
  if (bytes.length > MOST_BYTES) throw new RecordError(tr("A game file has at most 16 MB."));
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new RecordError(tr("This is not a game file: it is not UTF-8 text."));
  }
  /** @type {{headers: Map<string, string>, lines: string[]}[]} */
  const found = [];
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "") continue;
    let last = found.at(-1);
    const isHeader = line.startsWith("[");
    if (isHeader && (last === undefined || last.lines.length > 0)) {
      found.push((last = { headers: new Map(), lines: [] }));
    }
    const header = HEADER.exec(line);
    if (last === undefined || (isHeader && header === null)) {
      throw new RecordError(
        tr("This is not a game file: line {line} is no header such as [Game \"nim\"].", { line: at + 1 }),
      );
    }
    if (header === null) last.lines.push(line);
    else last.headers.set(header[1], unquoted(header[2]));
  }
  if (found.length === 0) throw new RecordError(tr("There are no games in this file."));
  return found.map(({ headers, lines }, at) => {
    const missing = REQUIRED.find((name) => !headers.has(name));
    if (missing) throw new RecordError(tr("Game {number} of this file has no header {name}.", { number: at + 1, name: missing }));
    return { number: at + 1, headers, text: lines.join(" ") };
  });
}

/**
 * Return the records that contain every word of `words`, in any case.
 *
 * @param {readonly FileRecord[]} records
 * @param {string} words
 */
export function matching(records, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return records.filter(({ headers }) => {
    const text = [...headers.values()].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/**
 * Return a game of a file. The server checks its moves by the rules when it is asked for positions.
 *
 * @param {FileRecord} record
 * @param {GameGeometry} geometry
 * @param {Record<string, number>} params
 * @returns {GameAnswer}
 */
export function gameOf(record, geometry, params) {
  const get = (/** @type {string} */ name) => record.headers.get(name) ?? "";
  const { names } = geometry;
  const actionOf = (/** @type {string} */ word) => {
    const action = /^\d+$/.test(word) ? Number(word) : names.indexOf(word.toLowerCase());
    if (action in names) return action;
    throw new RecordError(tr("This board has no move \"{word}\".", { word }));
  };
  /** @type {{action: number, clock: number | null}[]} */
  const moves = [];
  const words = record.text.split(/\s+/).filter((word) => !/^\d{1,6}\.$/.test(word));
  if (words.pop() !== get("Result")) {
    throw new RecordError(tr("The moves do not end with the result that the header names."));
  }
  for (const word of words) {
    const clock = CLOCK.exec(word);
    const last = moves.at(-1);
    if (clock === null) moves.push({ action: actionOf(word), clock: null });
    else if (last !== undefined) last.clock = Number(clock[1]) * 1000 + Number(clock[2]);
  }
  const result = get("Result");
  const finished = Date.parse(get("Date"));
  return {
    id: "",
    room: get("Room"),
    match: 1,
    game: get("Game"),
    size: get("Size"),
    title: geometry.title,
    players: [get("Seat0") || "?", get("Seat1") || "?"],
    engines: [get("Engine0"), get("Engine1")],
    rated: get("Rated") === "yes",
    time_control: get("TimeControl"),
    started_ms: finished,
    finished_ms: finished,
    termination: get("Termination"),
    result: RESULTS.includes(result) ? result : "*",
    winner: result === "1-0" ? 0 : result === "0-1" ? 1 : null,
    scores: [0, 0],
    plies: moves.length,
    params,
    opening: get("Opening").split(/\s+/).filter(Boolean).map(actionOf),
    moves: moves.map(({ action }) => action),
    clock_ms: moves.map(({ clock }) => clock),
    record: "",
  };
}

/** @param {string} value - of a header, with escapes */
function unquoted(value) {
  return value.replace(/\\(u[0-9a-f]{4}|U[0-9a-f]{8}|.)/g, (_, code) => {
    if (code === "n") return "\n";
    if (code.length === 1) return code;
    const point = parseInt(code.slice(1), 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}
