// The values of the position shown, on demand, and what is drawn over the board.

import { useEffect, useMemo } from "preact/hooks";

import { html } from "../../html.js";
import { ValuesCache, labelsOf, valuesLine } from "../../models/review/values.js";
import { getJson } from "../../net/api.js";
import { browserTimers } from "../../net/timers.js";
import { BoardValues } from "../../study/board-values.js";
import { tr } from "../../texts.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("../../models/review/values.js").Answer} Answer */

/**
 * Return whether the server values positions of a game.
 *
 * @param {import("../../app/app.js").App} app
 * @param {string} key
 */
export function offersValues(app, key) {
  return app.games.known.value?.games.find((each) => each.key === key)?.values === true;
}

/**
 * Return a function that tells the values of the position shown; null: not yet.
 *
 * @param {Review} review
 * @param {() => void} redraw
 */
export function useValues(review, redraw) {
  const cache = useMemo(() => new ValuesCache((body) => getJson("/api/values", {}, { body }), redraw, browserTimers()), [review]);
  useEffect(() => () => cache.close(), [cache]);
  const { game } = review;
  return () =>
    cache.get({ game: game.game, params: game.params, opening: game.opening, moves: review.moves });
}

/**
 * Return the layer of the board: the values, or else the better moves and the mark of the move shown.
 *
 * @param {Review} review
 * @param {Answer | null} answer
 */
export function layerOf(review, answer) {
  const { report, variation, ply, toMove, geometry, game } = review;
  /** @type {import("../../study/board-values.js").Drawn} */
  const drawn = { labels: [], better: [], mark: null };
  const note = variation === null ? report?.note(ply) : null;
  if (note?.mark) drawn.mark = { action: game.moves[ply - 1], text: note.mark.text, look: `tier${note.mark.tier}` };
  if (answer?.values) drawn.labels = labelsOf(answer.values, toMove, geometry.unit);
  else drawn.better = note?.better ?? [];
  return { maker: BoardValues, data: drawn };
}

/** @param {{review: Review, answer: Answer | null}} props */
export function ValuesLine({ review, answer }) {
  const { toMove, geometry, game } = review;
  let text = tr("Working out the values ...");
  if (answer?.problem) text = answer.problem;
  if (answer?.values) text = valuesLine(answer.values, toMove, geometry, game.players);
  return html`<p class="board-legend values-line" role="status">${text}</p>`;
}
