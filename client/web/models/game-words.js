// Describe a finished game in words: how it ended, its facts, and its course.

import { plural, tr } from "../texts.js";
import { endedWhy, NO_RESULT, scoreLine } from "./room/words.js";
import { timeText } from "./time.js";
import { knownTitle } from "./title.js";
import { grouped } from "./tournament-words.js";

/** @typedef {import("../types/api.js").GameAnswer} GameAnswer */
/** @typedef {import("./review/review.js").Review} Review */
/** @typedef {{headline: string, why: string, score: string, winner: number | null}} Outcome */

/**
 * Return how a game ended.
 *
 * @param {{players: string[], winner: number | null, termination: string, scores: number[], result: string}} game
 * @returns {Outcome}
 */
export function outcomeOf(game) {
  const { winner, termination } = game;
  let headline = tr("No result");
  if (winner != null) headline = tr("{name} won", { name: game.players[winner] });
  else if (game.result !== "*" && !NO_RESULT.includes(termination)) headline = tr("Draw");
  const loser = winner == null ? null : game.players[1 - winner];
  return {
    headline,
    why: endedWhy(termination, loser, ""),
    score: scoreLine(game.scores, winner),
    winner: winner ?? null,
  };
}

/**
 * Return everything about the game except its moves, as pairs of a label and a text.
 *
 * @param {Review} review
 * @param {{event?: string, when: string}} about
 * @returns {[string, string][]}
 */
export function factsOf(review, { when }) {
  const { game, geometry } = review;
  const [moves, turns] = [review.total, review.turns.length];
  /** @type {[string, string][]} */
  const facts = [
    [tr("Game"), knownTitle(geometry.title)],
    [tr("Date"), when],
    [tr("Time"), timeText(game.time_control)],
    [tr("Rated"), game.rated ? tr("yes") : tr("no, casual")],
    [tr("Result"), game.result === "*" ? "" : game.result],
    [tr("Ended"), outcomeOf(game).why],
    [
      tr("Length"),
      tr("{moves} in {turns}", {
        moves: plural("1 move", "{n} moves", moves, grouped(moves)),
        turns: plural("1 turn", "{n} turns", turns, grouped(turns)),
      }),
    ],
    [tr("Opening"), game.opening.map((action) => geometry.names[action]).join(" ")],
    [tr("Engine of {name}", { name: game.players[0] }), game.engines[0]],
    [tr("Engine of {name}", { name: game.players[1] }), game.engines[1]],
  ];
  return facts.filter(([, text]) => text);
}

/**
 * Return a name for a file of this game, of letters, digits and `-`.
 *
 * @param {{players: readonly string[], finished_ms: number}} game
 * @param {string} ending such as `txt`
 */
export function fileName(game, ending) {
  const date = new Date(game.finished_ms).toISOString().slice(0, 10);
  const words = [...game.players, date].map((part) =>
    part.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40).replace(/^-+|-+$/g, ""),
  );
  return `${words.filter(Boolean).join("-") || "game"}.${ending}`;
}

/**
 * Return the rows of the table that says what the curve shows: each turn, and who leads after it.
 *
 * @param {Review} review
 */
export function courseOf(review) {
  return review.turns.map((turn) => {
    const { ply } = turn.moves[turn.moves.length - 1];
    const { scores } = review.positions[ply];
    return {
      number: turn.number,
      player: review.game.players[turn.seat],
      moves: turn.moves.map((move) => move.name).join(" "),
      scores: `${scores[0]} : ${scores[1]}`,
      ply,
    };
  });
}
