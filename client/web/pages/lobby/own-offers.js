// What this player has open: offers, challenges and rooms that wait. Each can be cancelled.

import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { ownLines } from "../../models/lobby/model.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { cancel } from "../begin/actions.js";
import { useAction } from "./use-action.js";

/** @param {{app: import("../../app/app.js").App}} props */
export function OwnOffers({ app }) {
  const [busy, act] = useAction(app);
  app.topics.of("offers").value;
  app.topics.of("rooms").value;
  const title = (/** @type {any} */ settings) => app.games.title(settings);
  const { rooms, offers } = app.session;
  const lines = ownLines(rooms.values(), /** @type {any} */ (offers.values()), title);
  if (lines.length === 0) return null;
  return html`<ul class="list own" role="list" aria-label=${tr("Your open offers")}>
    ${lines.map(
      (line) => html`<li class="list-row" key=${line.key}>
        <span key=${line.text} class="grow">${line.text}</span>
        ${line.kind === "waiting" &&
        html`<${LinkButton} small href=${roomPath(line.key, rooms.get(line.key)?.code)}>${tr("Go there")}<//>`}
        ${line.link && html`<${LinkButton} small href=${line.link}>${tr("Link")}<//>`}
        <${Button}
          small
          busy=${busy === line.key}
          onPress=${() => act(line.key, () => cancel(app, line))}
          aria-label=${tr("Cancel: {offer}", { offer: line.text })}>${tr("Cancel")}<//>
      </li>`,
    )}
  </ul>`;
}
