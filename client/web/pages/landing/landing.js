// What a visitor without a name sees first: a board to play on at once, and below it the other ways in.

import { useEffect, useState } from "preact/hooks";

import { loginPath } from "../../app/rights.js";
import { withName } from "../../app/naming.js";
import { whenIdle } from "../../app/idle.js";
import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { SETTINGS, StartBoard, useStartGeometry } from "../begin/start-board.js";
import { leaveLobby } from "../lobby/follow.js";

const load = () => import("../begin/dialogs.js");
const CreateDialog = later(async () => (await load()).CreateDialog);
const JoinDialog = later(async () => (await load()).JoinDialog);
const LiveGlimpse = later(async () => (await import("./glimpse.js")).LiveGlimpse);

/**
 * `onStay` is told whether something is under way here that goes on when the visitor gets a name.
 * @param {{app: import("../../app/app.js").App, onStay: (stays: boolean) => void}} props
 */
export function Landing({ app, onStay }) {
  const [dialog, setDialog] = useState("");
  const [quiet, setQuiet] = useState(false);
  const { value: geometry, error } = useStartGeometry();
  useEffect(() => {
    if (geometry === null) return undefined;
    return whenIdle(() => {
      setQuiet(true);
      // What the first edge needs; a failure shows when it is needed.
      for (const part of [import("../room.js"), app.geometry(SETTINGS.game, SETTINGS.params)]) part.catch(() => {});
    });
  }, [geometry]);
  // The first edge has asked for the lobby, to find a bot.
  useEffect(() => () => void (app.session.lobby && leaveLobby(app)), []);
  const show = (/** @type {string} */ name) => {
    onStay(name !== "");
    setDialog(name);
  };
  const close = () => show("");
  const invite = () => {
    onStay(true);
    withName(app, () => show("invite"));
  };
  return html`<div class="room with-legend no-clock">
    <${StartBoard} app=${app} geometry=${geometry} problem=${error?.sentence} onBegin=${() => onStay(true)} />
    <aside class="room-side" aria-label=${tr("Play now")}>
      <h1 class="landing-title">${tr("Draw an edge. Close a box. Move again.")}</h1>
      <div class="ways">
        <${Button} icon="link" onPress=${invite}>${tr("Play a friend")}<//>
        <${Button} icon="key" onPress=${() => show("join")}>${tr("Join by code")}<//>
        <${LinkButton} icon="cup" href="/tournaments">${tr("Tournaments")}<//>
        <${LinkButton} icon="person" href=${loginPath(app)}>${tr("Log in")}<//>
      </div>
      <p class="landing-links">
        <a href="/learn">${tr("Learn")}</a> <a href="/rules">${tr("How to play")}</a> <a href="/watch">${tr("Watch live games")}</a>
      </p>
      ${quiet && html`<${LiveGlimpse} app=${app} />`}
    </aside>
    ${dialog === "invite" && html`<${CreateDialog} app=${app} closed onClose=${close} />`}
    ${dialog === "join" && html`<${JoinDialog} app=${app} onClose=${close} />`}
  </div>`;
}
