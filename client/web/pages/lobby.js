// The first page: a board to play on for visitors, and the lobby for players.

import { useEffect, useState } from "preact/hooks";

import { withStyle } from "../app/style.js";
import { html } from "../html.js";
import { tr } from "../texts.js";
import { later } from "../widgets/later.js";
import { Landing } from "./landing/landing.js";

const Lobby = later(() => withStyle("lobby", async () => (await import("./lobby/view.js")).LobbyView));

/** @param {{app: import("../app/app.js").App}} props */
export function LobbyPage({ app }) {
  // A visitor who gets a name here goes on with what was begun before the lobby comes.
  const [stays, setStays] = useState(false);
  useEffect(() => app.setTitle(tr("Lobby")), []);
  return app.known.value && !stays
    ? html`<${Lobby} app=${app} />`
    : html`<${Landing} app=${app} onStay=${setStays} />`;
}
