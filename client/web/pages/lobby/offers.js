// The offers of others, which one accepts with a click.

import { html } from "../../html.js";
import { moreLine, seekRows } from "../../models/lobby/model.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { List, RowAbout } from "../../widgets/list.js";
import { Player } from "../../widgets/player.js";
import { acceptSeek } from "../begin/actions.js";
import { useAction } from "./use-action.js";

/** How many offers are listed at first. */
const SHOWN = 5;

/**
 * The offers of others.
 * @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror,
 *   total: number | undefined}} props
 */
export function OfferList({ app, lobby, total }) {
  app.topics.of("lobby").value;
  const [busy, act] = useAction(app);
  const title = (/** @type {any} */ settings) => app.games.title(settings);
  const blocks = app.people.blocks.value;
  const seeks = [...lobby.seeks.values()].filter((seek) => !blocks.includes(seek.player.name));
  const rows = seekRows(seeks, app.me.value, title);
  if (rows.length === 0) return null;
  return html`<section class="lobby-part" aria-labelledby="offers">
    <h2 id="offers">${tr("Offers")}</h2>
    <${List}
      label=${tr("Offers of others")}
      items=${rows}
      keyOf=${(/** @type {any} */ row) => row.seek}
      more=${moreLine(total)}
      most=${SHOWN}
      row=${(/** @type {import("../../models/lobby/model.js").SeekRow} */ row) => html`
        <span class="grow">
          <${Player} player=${row.player} />
          <${RowAbout} parts=${[row.what, row.time, row.start]} />
        </span>
        <${Button}
          small
          busy=${busy === row.seek}
          aria-label=${tr("Accept the offer of {name}", { name: row.player.name })}
          onPress=${() => act(row.seek, () => acceptSeek(app, row.seek))}>${tr("Accept")}<//>
      `}
    />
  </section>`;
}
