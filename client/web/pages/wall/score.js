// The score on a big screen as a bar, with what the server expects of the rest where the players allow that.

import { useMemo, useReducer } from "preact/hooks";

import { html } from "../../html.js";
import { outlook } from "../../models/review/scores.js";
import { Evaluation } from "../../models/room/evaluation.js";
import { useQuestions } from "../room/evaluation.js";
import { Bar } from "../room/score-bar.js";
import { placesOf } from "./tile.js";

/** @typedef {import("./tile.js").Game} Game */

/** @param {Pick<Game, "app" | "mirror" | "geometry">} props */
export function Score({ app, mirror, geometry }) {
  const { room } = mirror;
  const [, changed] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const evaluation = useMemo(() => new Evaluation(watched(app, room, geometry)), [room, geometry]);
  useQuestions(app, room, evaluation, () => changed(0));
  if (!geometry.unit) return null;
  const { coming, move } = evaluation;
  const [left = 0] = placesOf(mirror);
  const players = mirror.players.map((player) => player?.name ?? "");
  return html`<${Bar} all=${geometry.cells.length} left=${left} scores=${mirror.scores} coming=${coming} />
    ${move && html`<p class="tv-outlook">${outlook(move.after, players, geometry.unit)}</p>`}`;
}

/**
 * @param {Game["app"]} app
 * @param {string} room
 * @param {Game["geometry"]} geometry
 * @returns {import("../../models/room/evaluation.js").Watched}
 */
function watched(app, room, geometry) {
  let last = /** @type {Game["mirror"]} */ (app.session.rooms.get(room));
  const mirror = () => (last = app.session.rooms.get(room) ?? last);
  return {
    geometry,
    get mirror() {
      return mirror();
    },
    get seats() {
      return { watching: mirror().seat === null };
    },
    get ply() {
      return mirror().moves.length;
    },
    get shown() {
      return { scores: mirror().scores };
    },
  };
}
