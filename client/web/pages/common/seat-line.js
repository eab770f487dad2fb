// A player above or below a board that is not the board of a room.

import { html } from "../../html.js";

/**
 * @typedef {{name: string, initial: string, about?: string, score?: number | null,
 *   clock?: import("preact").ComponentChildren, moves?: boolean}} Side
 */

/** @param {{seat: 0 | 1, side: Side}} props */
export function SeatLine({ seat, side: { name, initial, about, score, clock, moves } }) {
  const look = ["room-seat", `seat${seat}`, !about && "plain", moves && "to-move"];
  return html`<span class=${look.filter(Boolean).join(" ")}>
    <span class="room-seat-mark" aria-hidden="true" translate=${false}>${initial}</span>
    <bdi class="room-seat-name" translate=${false}>${name}</bdi>
    <span class="room-seat-about">${about}</span>
    <span class="room-seat-score" translate=${false}>${score}</span>
    ${clock && html`<span class="room-seat-clock" translate=${false}>${clock}</span>`}
  </span>`;
}

/**
 * A board between its players, the first one below it; all of it leads to `href`, and `what` says what one does there.
 * @param {{href: string, what: string, sides: readonly [Side, Side], ratio: number, onClick?: () => void,
 *   children: import("preact").ComponentChildren}} props
 */
export function BoardLink({ href, what, sides, ratio, onClick, children }) {
  return html`<a class="room-main board-link" href=${href} style=${{ "--ratio": String(ratio) }} onClick=${onClick}>
    <span class="visually-hidden">${what}</span>
    <${SeatLine} seat=${1} side=${sides[1]} />
    ${children}
    <${SeatLine} seat=${0} side=${sides[0]} />
  </a>`;
}
