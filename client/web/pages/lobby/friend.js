// Play a friend: an invitation, a room, a code, or one screen for two.

import { useState } from "preact/hooks";

import { BASE } from "../../address.js";
import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";

const load = () => import("../begin/dialogs.js");
const CreateDialog = later(async () => (await load()).CreateDialog);
const HotSeatDialog = later(async () => (await load()).HotSeatDialog);
const JoinDialog = later(async () => (await load()).JoinDialog);
const Share = later(async () => (await import("../../widgets/share.js")).Share);

/** @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror}} props */
export function FriendPart({ app, lobby }) {
  const [dialog, setDialog] = useState("");
  app.topics.of("lobby").value;
  const close = () => setDialog("");
  const alone = ![...lobby.players.values()].some(({ kind, name }) => kind === "human" && name !== app.me.value);
  return html`<section class="lobby-part" aria-labelledby="play-friend">
    <h2 id="play-friend">${tr("Play a friend")}</h2>
    <div class="ways">
      <${Button} icon="link" onPress=${() => setDialog("invite")}>${tr("Invite a friend")}<//>
      <${Button} icon="door" onPress=${() => setDialog("create")}>${tr("Create a room")}<//>
      <${Button} icon="key" onPress=${() => setDialog("join")}>${tr("Join by code")}<//>
      <${Button} icon="people" onPress=${() => setDialog("seat")}>${tr("Two at one screen")}<//>
    </div>
    ${alone &&
    !lobby.stale &&
    html`<p>${tr("Nobody else is here. Share this address:")}</p>
      <${Share} app=${app} url=${location.origin + BASE} qr="hidden" plain label=${tr("Address of this server")} />`}
    ${dialog === "invite" && html`<${CreateDialog} app=${app} closed onClose=${close} />`}
    ${dialog === "create" && html`<${CreateDialog} app=${app} onClose=${close} />`}
    ${dialog === "join" && html`<${JoinDialog} app=${app} onClose=${close} />`}
    ${dialog === "seat" && html`<${HotSeatDialog} app=${app} onClose=${close} />`}
  </section>`;
}
