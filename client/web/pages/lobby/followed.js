// The players whom one follows and who are here, with what they do.

import { html } from "../../html.js";
import { followedRows } from "../../models/lobby/followed.js";
import { roomPath } from "../../models/addresses.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { List, RowAbout } from "../../widgets/list.js";
import { Player } from "../../widgets/player.js";
import { challenge } from "../begin/actions.js";
import { usePeople } from "../common/use-people.js";
import { quickSettings } from "./quick.js";
import { useAction } from "./use-action.js";

/** @import { FollowedRow } from "../../models/lobby/followed.js" */

/** How many are listed at first. */
const SHOWN = 8;

/**
 * @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror | null}} props
 */
export function FollowedList({ app, lobby }) {
  app.topics.of("lobby").value;
  const { follows } = usePeople(app);
  const [busy, act] = useAction(app);
  if (lobby === null || follows.value.length === 0) return null;
  const send = (/** @type {string} */ name) => {
    const settings = quickSettings(app);
    // Own offers show whom one waits for.
    if (settings !== null) void act(name, () => challenge(app, name, settings, null));
  };
  return html`<h3>${tr("Whom you follow")}</h3>
    <${List}
      label=${tr("Whom you follow")}
      items=${followedRows(follows.value, lobby)}
      keyOf=${(/** @type {FollowedRow} */ row) => row.player.name}
      most=${SHOWN}
      empty=${html`<p class="muted">${tr("None of those whom you follow is here.")}</p>`}
      row=${(/** @type {FollowedRow} */ { player, doing, room }) => html`
        <span class="grow"><${Player} player=${player} /> <${RowAbout} parts=${[doing]} /></span>
        ${room &&
        html`<${LinkButton} small href=${roomPath(room)} aria-label=${tr("Watch {name}", { name: player.name })}>${tr("Watch")}<//>`}
        <${Button} small busy=${busy === player.name} aria-label=${tr("Challenge {name} at once", { name: player.name })}
          title=${tr("With the settings of your quick matches")} onPress=${() => send(player.name)}>${tr("Challenge")}<//>
      `}
    />`;
}
