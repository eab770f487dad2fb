// After a match: what it teaches, with the person's costliest move and the better one on a
// small board. It shows nothing until the server has the analysis, and nothing if it has none.

import { useEffect, useState } from "preact/hooks";

import { Board } from "../board/board.js";
import { html } from "../html.js";
import { Analysis } from "../models/review/analysis.js";
import { taught } from "../models/review/report.js";
import { getJson } from "../net/api.js";
import { tr } from "../texts.js";
import { BoardValues } from "./board-values.js";

/** @typedef {import("../pages/room/controller.js").RoomController} RoomController */
/** @typedef {import("../models/review/report.js").Worst} Worst */
/** @typedef {{text: string, worst: Worst | null, position: import("../board/types.js").Position | null}} Found */

/**
 * `seat` is that of the person, `game` the id of the finished match.
 * @param {{room: RoomController, game: string, seat: number}} props
 */
export function WorstMove({ room, game, seat }) {
  const { app, model } = room;
  const [found, setFound] = useState(/** @type {Found | null} */ (null));
  useEffect(() => {
    const analysis = new Analysis(game);
    const { geometry, mirror } = model;
    let open = true;
    const take = async (/** @type {any} */ state) => {
      if (!open || !analysis.take(state) || analysis.report === null) return;
      const { text, worst } = taught(analysis.report, seat, geometry.unit);
      const position = worst && (await positionOf(worst, mirror.settings.opening, geometry));
      if (open) setFound({ text, worst, position });
    };
    // Nobody has asked for this, so a failure is no news: the review says why.
    const fail = () => analysis.fail("");
    analysis.ask();
    app.request({ type: "get_review", game_id: game, code: mirror.code }).then(take).catch(fail);
    const stop = app.listen((updates) => {
      const state = updates.some(({ kind }) => kind === "review") && app.session.reviews.get(game);
      if (state) take(state).catch(fail);
    });
    return () => {
      open = false;
      stop();
    };
  }, []);
  if (!found?.text) return null;
  const { text, worst, position } = found;
  if (worst === null || position === null) return html`<p class="worst-move" role="status">${text}</p>`;
  const { names } = model.geometry;
  const seats = [0, 1].map((each) => ({ name: model.name(each), initial: room.text.initials[each] }));
  const drawn = { labels: [], better: [worst.better], mark: { action: worst.played, text: worst.mark.text, look: `tier${worst.mark.tier}` } };
  return html`<section class="worst-move" aria-label=${tr("Your costliest move")}>
    <div class="worst-board">
      <${Board}
        geometry=${model.geometry}
        position=${position}
        seats=${seats}
        seat=${null}
        mode="watch"
        layer=${{ maker: BoardValues, data: drawn }}
        label=${tr("The position in which you played {move}; {better} was better.", { move: names[worst.played], better: names[worst.better] })}
      />
    </div>
    <p role="status"><strong>${tr("Your costliest move.")}</strong> ${text}</p>
  </section>`;
}

/**
 * @param {Worst} worst
 * @param {readonly number[]} opening
 * @param {import("../board/types.js").Geometry} geometry
 * @returns {Promise<import("../board/types.js").Position>}
 */
async function positionOf({ moves }, opening, { game, size }) {
  const query = { game, size, opening, moves };
  const { positions } = /** @type {import("../types/api.js").Positions} */ (await getJson("/api/positions", query));
  const { cells, legal, winning, to_move: toMove } = positions[moves.length];
  const movers = positions.slice(0, -1).map((each) => each.to_move);
  return {
    cells,
    legal,
    winning,
    played: [...opening, ...moves],
    drawers: [...opening.map(() => null), ...movers],
    last: null, // the board shows a move that was not played yet
    toMove,
  };
}
