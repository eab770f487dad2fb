// The buttons after a match: a rematch, another match, the review, the tournament, the lobby.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { gamePath } from "../../models/addresses.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { NextGame } from "./next-game.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

const ShareDialog = later(async () => (await import("./share.js")).ShareDialog);

/** @param {{room: RoomController}} props */
export function NextActions({ room }) {
  room.version.value;
  const { mirror, ending, seats } = room.model;
  const [shares, setShares] = useState(false);
  return html`
    <div class="room-actions next" role="group" aria-label=${tr("Actions")}>
      <${NextGame} room=${room} />
      ${mirror.tag !== null &&
      html`<a class="button primary" href=${`/tournament/${mirror.tag.tournament}`} data-main>
          ${tr("Tournament")}
        </a>`}
      ${seats.watching || mirror.tag !== null ? null : html`<${Rematch} room=${room} />`}
      ${ending === null
        ? null
        : html`<${LinkButton} icon="chart" href=${gamePath(ending.gameId, mirror.code)}>${tr("Review")}<//>
            <${Button} icon="share" aria-haspopup="dialog" onPress=${() => setShares(true)}>${tr("link|Share")}<//>`}
      <${Button} icon="home" onPress=${() => room.leave()}>${tr("Lobby")}<//>
      ${shares && html`<${ShareDialog} app=${room.app} room=${room} onClose=${() => setShares(false)} />`}
    </div>
  `;
}

/** @param {{room: RoomController}} props */
function Rematch({ room }) {
  room.version.value;
  const { may, requests, model } = room;
  const enabled = may.rematch && may.opponentHere && !requests.waiting.has("rematch");
  const accepts = may.rematchOffered && may.opponentHere;
  const text = may.rematchWithdrawn ? tr("Rematch offered") : accepts ? tr("Accept rematch") : tr("Rematch");
  const declines = may.rematchWithdrawn ? tr("Withdraw") : accepts ? tr("Decline") : "";
  return html`
    <${Button} icon="again" kind=${enabled ? "primary" : undefined} disabled=${!enabled}
      data-main=${enabled ? true : undefined} onPress=${() => requests.rematch()}>${text}<//>
    ${declines &&
    html`<${Button} disabled=${requests.waiting.has("decline_rematch")}
      onPress=${() => requests.declineRematch()}>${declines}<//>`}
    ${model.seats.shared
      ? null
      : html`<${Button} icon="link" disabled=${requests.waiting.has("create")}
          onPress=${() => requests.inviteFriend()}>${tr("Invite a friend")}<//>`}
  `;
}
