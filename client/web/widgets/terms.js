// What a match is about, for people who are invited: the board, the game, the clock, the side.
//
// Terms props: app, settings, name (who invites; may be empty), seat (the one for the reader; null: a
//   random one, undefined: none).

import { useEffect, useState } from "preact/hooks";

import { StillBoard } from "../board/still.js";
import { html } from "../html.js";
import { what } from "../models/lobby/model.js";
import { timeLine } from "../models/room/words.js";
import { getJson } from "../net/api.js";
import { tr } from "../texts.js";

/** @import { MatchSettings } from "../types/wire" */

const NO_CLOCK = { base_ms: null, increment_ms: 0, move_ms: null };
const NOBODY = { name: "", initial: "" };

/**
 * @param {{app: import("../app/app.js").App, settings: MatchSettings, name: string,
 *   seat?: number | null}} props
 */
export function Terms({ app, settings, name, seat }) {
  const board = useBoard(app, settings);
  const starts = [tr("You move first."), name ? tr("{name} moves first.", { name }) : tr("The other player moves first.")];
  const start = seat === undefined ? "" : seat === null ? tr("Chance decides who moves first.") : starts[seat];
  return html`<div class="terms">
    <div class="terms-board">${board && html`<${StillBoard} ...${board} seats=${[NOBODY, NOBODY]} />`}</div>
    <ul role="list" class="stack tight">
      <li class="strong">${what({ ...settings, rated: false, evaluation: false }, (each) => app.games.title(each))}</li>
      <li>${timeLine(settings.time ?? NO_CLOCK)}</li>
      <li>${settings.rated ? tr("Rated: it counts for both ratings.") : tr("Casual: it counts for no rating.")}</li>
      ${settings.evaluation && html`<li>${tr("Spectators see who is ahead, the two of you do not.")}</li>`}
      ${start && html`<li>${start}</li>`}
    </ul>
  </div>`;
}

/**
 * Return how the board looks when the match begins; null until it is known.
 * @param {import("../app/app.js").App} app
 * @param {MatchSettings} settings
 */
function useBoard(app, settings) {
  const [board, setBoard] = useState(/** @type {any} */ (null));
  const { game, params = {}, opening = [], start = [] } = settings;
  useEffect(() => {
    let over = false;
    const load = async () => {
      const geometry = await app.geometry(game, params);
      const query = { game, size: geometry.size, opening, moves: start };
      const { positions } = await getJson("/api/positions", query);
      const { cells, legal, winning } = positions.at(-1);
      const played = [...opening, ...start];
      const position = { cells, legal, winning, played, last: null, toMove: null };
      if (!over) setBoard({ geometry, position });
    };
    // The words say enough without a board.
    load().catch(() => {});
    return () => {
      over = true;
    };
  }, [settings]);
  return board;
}
