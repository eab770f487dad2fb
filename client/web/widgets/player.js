// The name of a player, with a mark for bots, linked to the player's page.
//
// Props: player (PlayerInfo), rating (text such as "1523?"), you (boolean), seat (0 | 1: colour of the
//   seat), plain (no link).

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Icon } from "./icon.js";

/**
 * @param {{player: {name: string, kind: string}, rating?: string, you?: boolean, seat?: 0 | 1,
 *   plain?: boolean}} props
 */
export function Player({ player, rating, you = false, seat, plain = false }) {
  const name = html`<span class="player-name" translate=${false}>${player.name}</span>`;
  return html`<span class=${seat === undefined ? "player" : `player seat${seat}`}>
    ${player.kind === "bot" &&
    html`<span class="player-kind" title=${tr("bot")}><${Icon} name="bot" size=${16} /><span class="visually-hidden">${tr("bot")}</span></span>`}
    ${plain ? name : html`<a href=${playerPath(player.name)}>${name}</a>`}
    ${you && html`<span class="muted"> ${tr("(you)")}</span>`}
    ${rating && html`<span class="player-rating numbers" translate=${false} title=${rating.endsWith("?") ? tr("? means provisional: too few games support this rating yet.") : tr("Rating")}>${rating}</span>`}
  </span>`;
}

/**
 * Return the address of a player's page.
 * @param {string} name
 */
export function playerPath(name) {
  return `/player/${encodeURIComponent(name)}`;
}
