// Say positions in sentences, and answer typed commands. Pure: no DOM, no rules.

import { plural, tr } from "../texts.js";
import { cellName, count, describeAction, nounOf } from "./describe.js";
import { drawersOf, lastCells, ownerOf } from "./picture.js";
import { placesOf } from "./places.js";
import { boxes, listed, objects } from "./speech.js";

/** @import { BoardPlaces } from "./places.js" */
/** @import { Geometry, Position } from "./types" */

/** More names than this are not read out; their number is. */
const MOST_NAMES = 40;

/**
 * Return the score in a sentence: "Ann 3 boxes, Bo 1 box."
 * @param {Geometry} geometry
 * @param {readonly string[]} names
 * @param {readonly number[]} scores
 */
export function scoreSentence(geometry, names, scores) {
  if (!geometry.unit) return tr("This game has no score.");
  return `${[0, 1].map((seat) => `${names[seat]} ${count(scores[seat], geometry.unit)}`).join(", ")}.`;
}

/**
 * Return sentences about a whole position.
 * @param {Geometry} geometry
 * @param {Position} position
 * @param {readonly string[]} names
 */
export function positionSentence(geometry, position, names) {
  const places = placesOf(geometry);
  const holders = (/** @type {number} */ seat) =>
    geometry.pieces === "fill" ? names[seat] : geometry.seat_names[seat];
  if (!geometry.segments.length) return rowsOf(places, position, holders);
  const drawn = drawersOf(position);
  const parts = [tr("{drawn} of {count} edges drawn.", { drawn: drawn.size, count: geometry.segments.length })];
  for (const seat of [0, 1]) {
    const owned = geometry.cells.filter((cell) => ownerOf(position, cell.index) === seat);
    const values = { name: names[seat], boxes: boxes(places, owned.map((cell) => cell.index)) };
    parts.push(owned.length ? tr("{name} has {boxes}.", values) : tr("{name} has no box.", values));
  }
  const open = geometry.cells.filter(
    (cell) => cell.segments.filter((action) => !drawn.has(action)).length === 1,
  );
  if (open.length) parts.push(tr("One edge completes {boxes}.", { boxes: boxes(places, open.map((cell) => cell.index)) }));
  return parts.join(" ");
}

/**
 * Return the cells in words, row by row from the top.
 * @param {BoardPlaces} places
 * @param {Position} position
 * @param {(seat: number) => string} holders
 */
function rowsOf(places, position, holders) {
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  for (const [cell, [, y]] of places.cellMiddles.entries()) rows.set(y, [...(rows.get(y) ?? []), cell]);
  const objects = places.geometry.pieces === "object";
  return [...rows.values()]
    .map((cells, at) => {
      const row = at + 1;
      const owners = cells.map((cell) => ownerOf(position, cell));
      if (objects) return tr("Row {row}: {number} left.", { row, number: owners.filter((owner) => owner === null).length });
      if (owners.every((owner) => owner === null)) return tr("Row {row}: free.", { row });
      const said = owners.map((owner) => (owner === null ? tr("free") : holders(owner)));
      return tr("Row {row}: {cells}.", { row, cells: said.join(", ") });
    })
    .join(" ");
}

/**
 * What typed commands ask about. `clocks` are texts, null without a clock; `status` says whose turn
 * it is, or how the match ended.
 * @typedef {object} Situation
 * @property {Position & {scores: readonly number[]}} position
 * @property {readonly string[]} names the names of both players
 * @property {readonly (string | null)[]} clocks
 * @property {string} status
 * @property {Readonly<Record<string, string>>} [commands] further commands, each with its meaning;
 *   the caller carries them out
 */

/** @type {Readonly<Record<string, string>>} */
const WORDS = {
  score: tr("the score"),
  clock: tr("the clocks"),
  last: tr("the last move"),
  turn: tr("whose turn it is"),
  board: tr("the whole board"),
  legal: tr("the moves that may be played"),
  help: tr("this list"),
};

const UNKNOWN = {
  edge: tr("There is no edge \"{name}\"."),
  object: tr("There is no object \"{name}\"."),
  column: tr("There is no column \"{name}\"."),
  cell: tr("There is no cell \"{name}\"."),
};

/**
 * Other words for the same commands.
 * @type {Readonly<Record<string, string>>}
 */
const ALSO = {
  clocks: "clock",
  time: "clock",
  scores: "score",
  moves: "legal",
  status: "turn",
  position: "board",
  "?": "help",
};

/**
 * Answer a typed line: the name of a move gives its action, a command gives words.
 *
 * "draw b5" and "b5" are the same move; "b5?" and "what b5" describe an action or a box instead.
 * @param {Geometry} geometry
 * @param {string} line
 * @param {Situation} situation
 * @returns {{action: number} | {text: string} | {command: string}}
 */
export function answerCommand(geometry, line, situation) {
  const text = line.trim().toLowerCase().replace(/\s+/g, " ");
  const asked = /^(?:what |box |edge |cell |column )(.+?)\??$|^(.+?) ?\?$/.exec(text);
  if (asked) return { text: about(geometry, asked[1] ?? asked[2], situation) };
  const name = text.replace(/^(?:draw|play|take) /, "");
  const action = actionOf(geometry, name);
  if (action !== null) return played(geometry, action, situation);
  if (Object.hasOwn(situation.commands ?? {}, text)) return { command: text };
  return { text: answer(geometry, ALSO[text] ?? text, situation) };
}

/**
 * @param {Geometry} geometry
 * @param {string} name
 */
function actionOf(geometry, name) {
  const action = geometry.names.findIndex((other) => other.toLowerCase() === name);
  return action < 0 ? null : action;
}

/**
 * @param {Geometry} geometry
 * @param {number} action
 * @param {Situation} situation
 * @returns {{action: number} | {text: string}}
 */
function played(geometry, action, { position, status }) {
  if (position.legal[action] === "1") return { action };
  const name = geometry.names[action];
  if (!position.legal.includes("1")) return { text: `${tr("No move can be played now.")} ${status}` };
  return { text: tr("{name} cannot be played: type legal for the moves that can.", { name }) };
}

/**
 * @param {Geometry} geometry
 * @param {string} word
 * @param {Situation} situation
 */
function answer(geometry, word, { position, names, clocks, status, commands }) {
  switch (word) {
    case "score":
      return scoreSentence(geometry, names, position.scores);
    case "clock":
      if (clocks.every((clock) => clock === null)) return tr("This match has no clock.");
      return `${[0, 1].map((seat) => `${names[seat]} ${clocks[seat] ?? tr("no clock")}`).join(", ")}.`;
    case "last":
      return lastSentence(geometry, position, names);
    case "turn":
      return status;
    case "board":
      return positionSentence(geometry, position, names);
    case "legal": {
      const free = geometry.names.filter((_, action) => position.legal[action] === "1");
      if (!free.length) return tr("No move can be played now.");
      const many = count(free.length, "moves");
      return free.length > MOST_NAMES
        ? `${many}. ${tr("Type board to hear more.")}`
        : tr("{moves}: {names}.", { moves: many, names: free.join(", ") });
    }
    case "help":
      return `${tr("Type a move, such as {move}, or {move}? to hear about it.", { move: geometry.names[0] })} ${Object.entries(
        { ...WORDS, ...commands },
      )
        .map(([command, meaning]) => `${command}: ${meaning}`)
        .join("; ")}.`;
    default:
      return tr("There is no move or command \"{word}\". Type help for a list.", { word });
  }
}

/**
 * @param {Geometry} geometry
 * @param {Position} position
 * @param {readonly string[]} names
 */
function lastSentence(geometry, position, names) {
  const { last, played: moves, drawers } = position;
  if (last === null) return tr("No move was played yet.");
  const seat = drawers?.[moves.lastIndexOf(last)] ?? null;
  const move = geometry.names[last];
  if (seat === null) return tr("The last move was {move}.", { move });
  const player = names[seat];
  if (geometry.segments.length) return tr("{player} drew {move}.", { player, move });
  if (geometry.pieces !== "object") return tr("{player} played {move}.", { player, move });
  const places = placesOf(geometry);
  return tr("{player} took {objects}.", { player, objects: objects(places, lastCells(places, position)) || move });
}

/**
 * Describe an action or a box by its name.
 * @param {Geometry} geometry
 * @param {string} name
 * @param {Situation} situation
 */
function about(geometry, name, { position, names }) {
  const places = placesOf(geometry);
  const action = actionOf(geometry, name);
  const seats = /** @type {const} */ ([
    { name: names[0], initial: "" },
    { name: names[1], initial: "" },
  ]);
  if (action !== null) return `${describeAction(places, position, seats, action)}.`;
  const box = geometry.segments.length ? geometry.cells.find((cell) => cellName(places, cell.index) === name) : undefined;
  if (box === undefined) return tr(UNKNOWN[nounOf(geometry)], { name });
  const owner = ownerOf(position, box.index);
  if (owner !== null) return tr("Box {box} belongs to {name}.", { box: name, name: names[owner] });
  const drawers = drawersOf(position);
  const free = box.segments.filter((each) => !drawers.has(each)).map((each) => geometry.names[each]);
  const drawn = box.segments.length - free.length;
  if (!free.length) return tr("Box {box} belongs to nobody.", { box: name });
  const values = { box: name, edges: count(drawn, "edges"), free: listed(free) };
  return plural("Box {box} has {edges}; {free} is free.", "Box {box} has {edges}; {free} are free.", free.length, values);
}
