// What a learner's session knows about positions. The page knows no rules, so it asks the server.

import { said } from "../../texts.js";

/**
 * @import { GamePosition, MoveKind, PositionValues } from "../../types/api"
 * @import { ReviewPhrase } from "../../types/wire"
 */

/**
 * A question of a session. `moves` are those after the first position of the exercise or puzzle. Sentences are
 * about `action`, which is played after them; `values` are those of the position, `answer` is a best line after it.
 *
 * @typedef {{what: "positions" | "kinds" | "values", moves: readonly number[]}} Fact
 * @typedef {{what: "sentences", moves: readonly number[], action: number, values: PositionValues,
 *   answer: readonly number[]}} About
 * @typedef {Fact | About} Ask
 */

/** @param {readonly number[]} moves */
const keyOf = (moves) => moves.join(",");

/**
 * Return the final net score of a seat.
 * @param {{net: number}} estimate
 * @param {number} seat
 */
export const netOf = ({ net }, seat) => (seat === 0 ? net : -net);

/**
 * Return all actions that keep the value.
 * @param {PositionValues} values
 */
export const bestOf = (values) => values.actions.filter(({ net }) => net === values.value.net).map(({ action }) => action);

/**
 * Return how many boxes an action loses.
 * @param {PositionValues} values
 * @param {number} action
 * @param {number} seat the mover
 */
export function lossOf(values, action, seat) {
  const found = values.actions.find((each) => each.action === action);
  return found === undefined ? 0 : (netOf(values.value, seat) - netOf(found, seat)) / 2;
}

export class Knowledge {
  /** @type {Map<string, readonly GamePosition[]>} All positions from the empty board on. */
  #positions = new Map();
  /** @type {Map<string, Map<number, MoveKind>>} */
  #kinds = new Map();
  /** @type {Map<string, PositionValues>} */
  #values = new Map();

  /** @param {readonly number[]} moves */
  position = (moves) => this.#positions.get(keyOf(moves))?.at(-1);

  /**
   * Return the positions of the game up to a position.
   * @param {readonly number[]} moves
   */
  history = (moves) => this.#positions.get(keyOf(moves)) ?? [];

  /** @param {readonly number[]} moves */
  kinds = (moves) => this.#kinds.get(keyOf(moves));

  /** @param {readonly number[]} moves */
  values = (moves) => this.#values.get(keyOf(moves));

  /**
   * Whether a known position is the end of the game.
   * @param {readonly number[]} moves
   */
  isOver = (moves) => this.position(moves)?.to_move === null;

  /**
   * Whether an action may be played in a known position.
   * @param {readonly number[]} moves
   * @param {number} action
   */
  isLegal = (moves, action) => this.position(moves)?.legal[action] === "1";

  /**
   * Take the server's answer to a question about a position.
   * @param {Fact} ask
   * @param {any} answer
   */
  take({ what, moves }, answer) {
    const key = keyOf(moves);
    if (what === "positions") this.#positions.set(key, answer.positions);
    else if (what === "values") this.#values.set(key, answer);
    else this.#kinds.set(key, new Map(answer.moves.map((/** @type {MoveKind} */ each) => [each.action, each])));
  }
}

/**
 * Return whether values are exact in these actions. The rules of reviews need exact ones here.
 * @param {PositionValues} values
 * @param {number} action
 */
export function isExact(values, action) {
  const found = values.actions.find((each) => each.action === action);
  return values.value.spread === 0 && found?.spread === 0;
}

/**
 * Return the address and the parameters that answer a question; values are posted.
 *
 * @param {Ask} ask
 * @param {{game: string, size: string, params: Record<string, number>, first: readonly number[]}} start
 * @returns {{path: string, query: Record<string, any>, body?: object}}
 */
export function requestOf(ask, { game, size, params, first }) {
  const moves = [...first, ...ask.moves];
  if (ask.what === "sentences") {
    const { action, values, answer } = ask;
    const after = values.actions.find((each) => each.action === action)?.net;
    const judged = { action, before: values.value.net, after, best: bestOf(values), line: values.line, answer };
    return { path: "/api/sentences", query: { size, moves, ...judged } };
  }
  if (ask.what === "kinds") return { path: "/api/kinds", query: { size, moves } };
  if (ask.what === "positions") return { path: "/api/positions", query: { game, size, moves } };
  return { path: "/api/values", query: {}, body: { game, params, opening: [], moves } };
}

/**
 * @param {readonly ReviewPhrase[]} sentences
 * @returns {{reasons: string[], facts: string[], hasCost: boolean}}
 */
export function sorted(sentences) {
  const isFact = (/** @type {ReviewPhrase} */ { rule }) => rule === "cost" || rule.includes("-to-");
  const texts = (/** @type {boolean} */ facts) => sentences.filter((each) => isFact(each) === facts).map(said);
  return { reasons: texts(false), facts: texts(true), hasCost: sentences.some(({ rule }) => rule === "cost") };
}
