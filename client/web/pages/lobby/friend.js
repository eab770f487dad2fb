// Play a friend: an invitation, a room, a code, one screen for two, and the people who are here.

import { useState } from "preact/hooks";

import { BASE } from "../../address.js";
import { html } from "../../html.js";
import { playerRows } from "../../models/lobby/model.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { FollowedList } from "./followed.js";
import { PlayerList } from "./people.js";

const load = () => import("./dialogs.js");
const CreateDialog = later(async () => (await load()).CreateDialog);
const HotSeatDialog = later(async () => (await load()).HotSeatDialog);
const JoinDialog = later(async () => (await load()).JoinDialog);
const Share = later(async () => (await import("../../widgets/share.js")).Share);
/** How many people are listed at first; the others are one step behind. */
const SHOWN = 5;

/**
 * @param {{app: import("../../app/app.js").App,
 *   lobby: import("../../core/lobby.js").LobbyMirror | null}} props
 */
export function FriendCard({ app, lobby }) {
  const [dialog, setDialog] = useState("");
  app.topics.of("lobby").value;
  const close = () => setDialog("");
  const rows =
    lobby === null ? [] : playerRows(lobby.players.values(), lobby.rooms.values(), lobby.ratings.values(), app.me.value);
  const people = rows.filter((row) => row.player.kind === "human" && !row.me);
  const others = people.filter((row) => app.people.of(row.name) === null);
  return html`<section class="card stack" aria-labelledby="play-friend">
    <h2 id="play-friend">${tr("Play a friend")}</h2>
    <div class="ways">
      <${Button} icon="link" onPress=${() => setDialog("invite")}>${tr("Invite a friend")}<//>
      <${Button} icon="door" onPress=${() => setDialog("create")}>${tr("Create a room")}<//>
      <${Button} icon="key" onPress=${() => setDialog("join")}>${tr("Join by code")}<//>
      <${Button} icon="people" onPress=${() => setDialog("seat")}>${tr("Hot seat")}<//>
    </div>
    <${FollowedList} app=${app} lobby=${lobby} />
    ${others.length > 0 && html`<${PlayerList} app=${app} label=${tr("People")} rows=${others} most=${SHOWN} />`}
    ${lobby !== null &&
    people.length === 0 &&
    !lobby.stale &&
    html`<div class="alone stack tight">
      <p>${tr("Nobody else is here. Share this address:")}</p>
      <${Share} app=${app} url=${location.origin + BASE} qr="hidden" label=${tr("Address of this server")} />
    </div>`}
    ${dialog === "invite" && html`<${CreateDialog} app=${app} closed onClose=${close} />`}
    ${dialog === "create" && html`<${CreateDialog} app=${app} onClose=${close} />`}
    ${dialog === "join" && html`<${JoinDialog} app=${app} onClose=${close} />`}
    ${dialog === "seat" && html`<${HotSeatDialog} app=${app} onClose=${close} />`}
  </section>`;
}
