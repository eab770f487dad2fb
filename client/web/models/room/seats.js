// Describe the seats beside the board of a room, and how its match ended.

import { count } from "../../board/describe.js";
import { told, tr } from "../../texts.js";
import { endedWhy, NO_RESULT, ofPlayer, scoreLine, waitsForDays } from "./words.js";

/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../types/api.js").GameGeometry} Geometry */
/** @typedef {import("./model.js").RoomModel} RoomModel */
/** @typedef {import("./own-seats.js").OwnSeats} OwnSeats */

/**
 * How a match ended: headline, reason, score, and the seat that won (null if no seat did). `won`
 * says whether the person at the page has won. It is null without a winner, for spectators and for
 * two people at one page.
 *
 * @typedef {{headline: string, why: string, score: string, winner: number | null, gameId: string,
 *   won: boolean | null}} Ending
 */

/**
 * What to show beside the board for one seat. `mine` says that the seat belongs to this page,
 * `you` that it is the page's only one. `score` is null before a match, and `points` has it in
 * words, such as `1 box`. `note` is a remark such as `away`. `thinking` says that a connected bot
 * is to move. `expected` is the final net score that the player last expected for itself, or null.
 *
 * @typedef {{seat: number, name: string, engine: string, mine: boolean, you: boolean,
 *   score: number | null, points: string, toMove: boolean, present: boolean, note: string,
 *   thinking: boolean, expected: number | null}} SeatPanel
 */

/**
 * @param {RoomModel} model
 * @param {number} seat
 * @returns {SeatPanel}
 */
export function makePanel(model, seat) {
  const { mirror, seats } = model;
  const player = mirror.players[seat];
  const present = model.present(seat);
  const { behind } = model.playback;
  const moves = (behind ? model.shown : model).toMove === seat;
  const mine = seats.has(seat);
  let note = "";
  if (player == null) note = "free";
  else if (!present && mirror.status !== "closed" && !(model.playing && waitsForDays(mirror))) {
    note = mirror.presence.seats[seat].left ? tr("has left") : tr("away");
  }
  else if (mirror.status === "finished" && mirror.rematch[seat] && !mine) note = tr("wants a rematch");
  const score = mirror.match > 0 ? model.shown.scores[seat] : null;
  const bot = player != null && player.kind === "bot";
  return {
    seat,
    name: player?.name ?? "",
    engine: player == null ? "" : ofPlayer(player),
    mine,
    you: mine && seats.only === seat,
    score,
    points: score === null ? "" : count(score, model.geometry.unit || "points"),
    toMove: moves,
    present,
    note,
    thinking: moves && bot && present && !behind,
    expected: bot && !behind ? (mirror.expected[seat] ?? null) : null,
  };
}

/**
 * Return the headline of an ending with its score: `You lost 2 : 14`.
 * @param {Pick<Ending, "headline" | "score">} ending
 */
export function finalLine({ headline, score }) {
  return score ? `${headline} ${score}` : headline;
}

/**
 * Return how the match in `mirror` ended, or null; `own` are the seats of this page.
 *
 * @param {RoomMirror} mirror
 * @param {Geometry} geometry
 * @param {OwnSeats} own
 * @returns {Ending | null}
 */
export function makeEnding(mirror, geometry, own) {
  const result = mirror.result;
  if (result == null) return null;
  const name = (/** @type {number} */ seat) =>
    mirror.players[seat]?.name ?? geometry.seat_names[seat];
  const winner = result.winner ?? null;
  const alone = own.only !== null;
  const won = winner !== null && alone ? own.has(winner) : null;
  let headline = NO_RESULT.includes(result.termination) ? tr("No result") : tr("Draw");
  let loser = null;
  if (winner !== null) {
    headline = won === null ? tr("{name} won", { name: name(winner) }) : won ? tr("You won") : tr("You lost");
    loser = alone && own.has(1 - winner) ? "" : name(1 - winner);
  }
  const reason = told(result.reason, result.phrase);
  let why = endedWhy(result.termination, loser, reason);
  // The server's reason names the player who called the match off.
  if (result.termination === "aborted" && reason) why = reason.replace(/\.+$/, "");
  const score = geometry.unit ? scoreLine(mirror.scores, own.only ?? winner) : "";
  return { headline, why, score, winner, gameId: result.game_id, won };
}
