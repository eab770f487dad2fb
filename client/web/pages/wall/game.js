// The game of a room that a page follows without being its page: what is known of it, and what its board and players show.

import { useMemo } from "preact/hooks";

import { html } from "../../html.js";
import { LOW_MS, roomClock } from "../../models/room/clock.js";
import { marksOf } from "../../models/room/words.js";
import { tr } from "../../texts.js";
import { Clock, useNow } from "../../widgets/clock.js";
import { useGeometry } from "../common/load.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../types/api.js").GameGeometry} GameGeometry */

/**
 * Return the mirror and the geometry of a room as soon as both are there, and render again when something happens.
 *
 * @param {App} app
 * @param {string} room
 */
export function useGame(app, room) {
  app.topics.of(`room:${room}`).value;
  const mirror = app.session.rooms.get(room);
  const { value: geometry } = useGeometry(app, mirror?.settings.game ?? null, mirror?.settings.params);
  return mirror === undefined || geometry === null ? null : { mirror, geometry };
}

/**
 * Return what the board of a room shows: the same objects as long as nothing happens, so that nothing is drawn when a clock
 * ticks or boards move.
 *
 * @param {RoomMirror} mirror
 * @param {GameGeometry} geometry
 */
export function useShown(mirror, geometry) {
  const { board, moves, movers, opening, players, toMove } = mirror;
  const seats = useMemo(() => {
    const [first, second] = [nameOf(mirror, 0), nameOf(mirror, 1)];
    const marks = marksOf(geometry, first, second);
    return /** @type {const} */ ([
      { name: first, initial: marks[0] },
      { name: second, initial: marks[1] },
    ]);
  }, [players, geometry]);
  const position = useMemo(
    () => ({
      cells: board.cells,
      legal: board.legal,
      winning: board.winning,
      played: [...opening, ...moves],
      drawers: [...opening.map(() => null), ...movers],
      last: moves.at(-1) ?? null,
      toMove,
    }),
    [board, moves.length, opening, toMove],
  );
  return { position, seats };
}

/**
 * Return what the line of a player shows; `rating` is for people.
 *
 * @param {App} app
 * @param {RoomMirror} mirror
 * @param {GameGeometry} geometry
 * @param {ReturnType<typeof useShown>["seats"]} seats
 * @param {0 | 1} seat
 * @param {string} rating
 * @returns {import("../common/seat-line.js").Side}
 */
export function sideOf(app, mirror, geometry, seats, seat, rating) {
  const { scores, toMove, result } = mirror;
  return {
    ...seats[seat],
    about: result?.winner === seat ? tr("won") : rating,
    clock: result === null && roomClock(mirror, seat, app.now()) && html`<${SeatClock} app=${app} mirror=${mirror} seat=${seat} />`,
    score: geometry.unit ? scores[seat] : null,
    moves: toMove === seat,
  };
}

/**
 * A component of its own, so that a tick draws a clock and not a board.
 *
 * @param {{app: App, mirror: RoomMirror, seat: number}} props
 */
function SeatClock({ app, mirror, seat }) {
  app.topics.of(`room:${mirror.room}`).value;
  const first = roomClock(mirror, seat, app.now());
  const now = useNow(app, first?.runs ? (first.ms < LOW_MS ? 100 : 500) : 0);
  const left = roomClock(mirror, seat, now);
  return html`<${Clock} ms=${left?.ms ?? null} runs=${left?.runs ?? false} label=${tr("Time of {name}", { name: nameOf(mirror, seat) })} />`;
}

/**
 * @param {RoomMirror} mirror
 * @param {number} seat
 */
export function nameOf(mirror, seat) {
  return mirror.players[seat]?.name ?? tr("free seat");
}
