// After a match: what it teaches, with the move that decided it, or the person's costliest one, and the better one on
// a small board.

import { useEffect, useState } from "preact/hooks";

import { Board } from "../board/board.js";
import { html } from "../html.js";
import { analysisPath } from "../models/analysis/address.js";
import { Analysis } from "../models/review/analysis.js";
import { taught } from "../models/review/report.js";
import { getJson } from "../net/api.js";
import { tr } from "../texts.js";
import { BoardValues } from "./board-values.js";

/** @typedef {import("../pages/room/controller.js").RoomController} RoomController */
/** @typedef {import("../models/review/report.js").Moment} Moment */
/** @typedef {{text: string, moment: Moment | null, position: import("../board/types.js").Position | null}} Found */

/**
 * `seat` is that of the person, `game` the id of the finished match.
 * @param {{room: RoomController, game: string, seat: number}} props
 */
export function GameMoment({ room, game, seat }) {
  const { app, model } = room;
  const [found, setFound] = useState(/** @type {Found | null} */ (null));
  useEffect(() => {
    const analysis = new Analysis(game);
    const { geometry, mirror } = model;
    let open = true;
    const take = async (/** @type {any} */ state) => {
      if (!open || !analysis.take(state)) return;
      if (analysis.report === null) return void (analysis.waiting || fail());
      const { text, moment } = taught(analysis.report, seat, geometry, [0, 1].map((each) => model.name(each)));
      const position = moment && (await positionOf(moment, mirror.settings.opening, geometry));
      if (open) setFound({ text, moment, position });
    };
    // Nobody has asked for this, so a failure is no news: the review says why.
    const fail = () => {
      analysis.fail("");
      if (open) setFound({ text: "", moment: null, position: null });
    };
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
  if (found === null) {
    return html`<section class="moment" aria-label=${tr("The move that decided it")}>
      <div class="moment-board"></div>
      <p class="muted">${tr("Looking for the move that decided it ...")}</p>
    </section>`;
  }
  const { text, moment, position } = found;
  if (!text) return null;
  if (moment === null || position === null) return html`<p class="moment" role="status">${text}</p>`;
  const { names } = model.geometry;
  const seats = [0, 1].map((each) => ({ name: model.name(each), initial: room.text.initials[each] }));
  const drawn = { labels: [], better: [moment.better], mark: { action: moment.played, text: moment.mark.text, look: `tier${moment.mark.tier}` } };
  const title = moment.decided ? tr("The move that decided it") : tr("Your costliest move");
  return html`<section class="moment" aria-label=${title}>
    <div class="moment-board">
      <${Board}
        geometry=${model.geometry}
        position=${position}
        seats=${seats}
        seat=${null}
        mode="watch"
        layer=${{ maker: BoardValues, data: drawn }}
        label=${tr("The position in which you played {move}; {better} was better.", { move: names[moment.played], better: names[moment.better] })}
      />
    </div>
    <p role="status"><strong>${title}.</strong> ${text} <a href=${analysisPath({ ...model.geometry, opening: model.mirror.settings.opening }, moment.moves)}>${tr("Try other moves")}</a></p>
  </section>`;
}

/**
 * @param {Moment} moment
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
