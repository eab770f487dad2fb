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
 * A board between its players, `below` being the seat below it; all of it leads to `href`. The line under it says what one
 * does there, and what is played.
 * @param {{href: string, what: string, about?: readonly string[], sides: readonly [Side, Side], below?: 0 | 1, ratio: number,
 *   onClick?: () => void, children: import("preact").ComponentChildren}} props
 */
export function BoardLink({ href, what, about = [], sides, below = 0, ratio, onClick, children }) {
  const above = below === 0 ? 1 : 0;
  return html`<a class="room-main board-link" href=${href} style=${{ "--ratio": String(ratio) }} onClick=${onClick}>
    <${SeatLine} seat=${above} side=${sides[above]} />
    ${children}
    <${SeatLine} seat=${below} side=${sides[below]} />
    <span class="board-link-foot"><strong>${what}</strong> ${about.filter(Boolean).map((each) => `· ${each}`).join(" ")}</span>
  </a>`;
}
