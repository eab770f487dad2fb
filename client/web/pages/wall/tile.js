// One board of the wall: the current position of a room, with its players, scores and clocks.

import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { ratingText } from "../../models/rating.js";
import { NO_RESULT } from "../../models/room/words.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";
import { SeatLine } from "../common/seat-line.js";
import { nameOf, sideOf, useGame, useShown } from "./game.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../types/api.js").GameGeometry} GameGeometry */
/** @typedef {import("./boards.js").Boards} Boards */
/** @typedef {{app: App, boards: Boards, mirror: RoomMirror, geometry: GameGeometry}} Game */

/** @param {{app: App, room: string, boards: Boards}} props */
export function Tile({ app, room, boards }) {
  const game = useGame(app, room);
  return html`<li class="tile" data-room=${room}>
    ${game === null
      ? html`<${Empty} />`
      : html`<a
          class=${game.mirror.result === null ? "tile-link" : "tile-link over"}
          href=${`/room/${encodeURIComponent(room)}`}
          onClick=${() => boards.followed.choose(room)}
        >
          <${Position} app=${app} boards=${boards} ...${game} />
          <span class="tile-foot small muted">${knownTitle(game.geometry.title)}</span>
        </a>`}
  </li>`;
}

/** Hold the place of a board that loads. */
export function Empty() {
  return html`<div class="tile-empty" aria-hidden="true"><span class="spinner"></span></div>`;
}

/** @param {Game} props */
function Position({ app, boards, mirror, geometry }) {
  const shown = useShown(mirror, geometry);
  const [above, below] = placesOf(mirror).map(
    (seat) => html`<${TileSeat} app=${app} boards=${boards} mirror=${mirror} geometry=${geometry} seats=${shown.seats} seat=${seat} />`,
  );
  return html`
    ${above}
    <span class="tile-board"><${StillBoard} geometry=${geometry} ...${shown} /><${Ending} mirror=${mirror} /></span>
    ${below}
  `;
}

/**
 * Return the seats above and below the board. In a rematch players swap seats, and keep these places, as in a room.
 *
 * @param {RoomMirror} mirror
 */
export function placesOf({ match }) {
  return match % 2 === 0 ? [1, 0] : [0, 1];
}

/** @param {{geometry: GameGeometry} & ReturnType<typeof useShown>} props */
export function StillBoard({ geometry, position, seats }) {
  return html`<${Board} geometry=${geometry} position=${position} seats=${seats} mode="still" label=${tr("board")} />`;
}

/** @param {Game & {seat: number, seats: ReturnType<typeof useShown>["seats"]}} props */
export function TileSeat({ app, boards, mirror, geometry, seat, seats }) {
  const rating = boards.ratings.of(mirror, app.now())[seat];
  const which = seat === 0 ? 0 : 1;
  return html`<${SeatLine} seat=${seat} side=${sideOf(app, mirror, geometry, seats, which, rating ? ratingText(rating) : "")} />`;
}

/** @param {{mirror: RoomMirror}} props */
export function Ending({ mirror }) {
  const text = endingOf(mirror);
  return text && html`<strong class="tile-ending">${text}</strong>`;
}

/** @param {RoomMirror} mirror */
function endingOf(mirror) {
  const { result, status } = mirror;
  if (result === null) return status === "playing" ? "" : tr("waiting");
  if (result.winner !== null) return tr("{name} won", { name: nameOf(mirror, result.winner) });
  return NO_RESULT.includes(result.termination) ? tr("no result") : tr("draw");
}
