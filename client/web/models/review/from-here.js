// Play on from a position of a review against a bot: the settings of the match, and its sides.

import { plural, tr } from "../../texts.js";

/** @typedef {import("./review.js").Review} Review */

/**
 * @typedef {object} Start
 * @property {import("../../types/wire.js").MatchSettings} settings of a casual match without a clock
 * @property {number} seat the seat of the person in this game, or else the one to move
 * @property {string} opponent the player of the other seat
 * @property {string} about the position in a sentence
 * @property {[string, string]} sides their names
 */

/**
 * Return how to play on from the position shown in a review; null: the game is over there.
 *
 * @param {Review} review
 * @param {string} me the name of the person
 * @returns {Start | null}
 */
export function startOf(review, me) {
  const { toMove, game, geometry, moves } = review;
  const own = game.players.indexOf(me);
  const scores = [0, 1].map((seat) => review.player(seat).score);
  return startFrom({ ...game, moves, toMove, scores: geometry.unit ? scores : null }, own < 0 ? null : own);
}

/**
 * Return how to play on from a position; null: the game is over there.
 *
 * @param {{game: string, params: Record<string, number>, opening: readonly number[], moves: readonly number[],
 *   players: readonly string[], toMove: number | null, scores: readonly number[] | null}} position
 * @param {number | null} own the seat of the person; null: the one to move
 * @returns {Start | null}
 */
export function startFrom({ game, params, opening, moves, players, toMove: mover, scores }, own) {
  if (mover === null) return null;
  const count = moves.length;
  let begun = plural("After 1 move", "After {n} moves", count);
  if (!count) begun = opening.length ? tr("After the opening") : tr("From the beginning");
  const values = { begun, first: scores?.[0], second: scores?.[1], name: players[mover] };
  const side = (/** @type {number} */ seat) => {
    const name = players[seat];
    const title = name.endsWith("s") ? tr("{name}' side", { name }) : tr("{name}'s side", { name });
    return seat === mover ? tr("{side} (to move)", { side: title }) : title;
  };
  const seat = own ?? mover;
  const time = { base_ms: null, increment_ms: 0, move_ms: null };
  return {
    settings: { game, params, opening: [...opening], start: [...moves], time, rated: false, evaluation: false },
    seat,
    opponent: players[1 - seat],
    about:
      scores && count
        ? tr("{begun} the score is {first} : {second}, and {name} is to move.", values)
        : tr("{begun}, {name} is to move.", values),
    sides: [side(0), side(1)],
  };
}
