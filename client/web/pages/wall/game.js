// The game of a room that a page follows without being its page: what is known of it, and what its board shows.

import { useMemo } from "preact/hooks";

import { marksOf } from "../../models/room/words.js";
import { tr } from "../../texts.js";
import { useGeometry } from "../common/load.js";

/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../types/api.js").GameGeometry} GameGeometry */

/**
 * Return the mirror and the geometry of a room as soon as both are there, and render again when something happens.
 *
 * @param {import("../../app/app.js").App} app
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
 * @param {RoomMirror} mirror
 * @param {number} seat
 */
export function nameOf(mirror, seat) {
  return mirror.players[seat]?.name ?? tr("free seat");
}
