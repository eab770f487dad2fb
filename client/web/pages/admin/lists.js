// The lists of the administration: players, rooms, accounts, bans and the audit log.

import { useEffect, useState } from "preact/hooks";

import { html } from "../../html.js";
import { closeRoom, banNetwork, unban } from "../../models/admin-actions.js";
import { banEnd, durationText } from "../../models/admin.js";
import { sizeText } from "../../models/title.js";
import { withParams } from "../../net/api.js";
import { parts, plural, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field, MOST_NAME } from "../../widgets/field.js";
import { Filter } from "../../widgets/filter.js";
import { List } from "../../widgets/list.js";
import { Shown } from "../common/load.js";
import { Name, When } from "../common/parts.js";
import { ActionDialog, PlayerDialog } from "./forms.js";
import { useAdmin } from "./load.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../models/admin-actions.js").Action} Action */
/** @typedef {import("./forms.js").Managed} Managed */
/** @import { AccountsAnswer, AuditAnswer, AuditLine, BanAnswer, BansAnswer, ConnectedPlayer, PlayersAnswer, RoomLine, RoomsAnswer, StoredPlayer } from "../../types/api.js" */

const EVERY_MS = 5000;
const LIMIT = 100;

/**
 * Return the name in the address that a list is about; empty: anybody.
 * @param {App} app
 */
const nameIn = (app) => new URLSearchParams(app.route.value.search).get("name") ?? "";

/** Choose that name. @param {{app: App, show: string}} props */
function ByName({ app, show }) {
  const name = nameIn(app);
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  const at = (/** @type {string} */ chosen) => withParams("/admin", { show, name: chosen });
  return html`<${Filter} chips=${name ? [{ title: name, href: at("") }] : []} onSubmit=${() => app.navigate(at(text.trim()))}>
    <${Field} label=${tr("Name")} name="search" type="search" value=${text} maxlength=${MOST_NAME} onInput=${setText} />
  <//>`;
}

/**
 * @param {number} shown
 * @param {number} total
 */
function more(shown, total) {
  return shown < total ? tr("Only {count} of {total} are listed. Filter by name for others.", { count: shown, total }) : "";
}

/** @param {{name: string, onPress: () => void}} props */
function Manage({ name, onPress }) {
  return html`<${Button} small aria-label=${tr("Manage {name}", { name })} onPress=${onPress}>${tr("Manage ...")}<//>`;
}

/** @param {readonly (string | false | null)[]} facts */
function joined(facts) {
  return facts.filter(Boolean).join(" · ");
}

/** @param {{app: App}} props */
export function PlayersPart({ app }) {
  const search = nameIn(app);
  const [chosen, setChosen] = useState(/** @type {ConnectedPlayer | null} */ (null));
  const loaded = useAdmin(app, "players", { search, limit: LIMIT }, EVERY_MS);
  const facts = (/** @type {ConnectedPlayer} */ each) =>
    joined([each.engine, each.client, each.address, tr("here for {time}", { time: durationText(each.connected_s) }),
      each.rooms.length > 0 && plural("1 room", "{n} rooms", each.rooms.length)]);
  return html`<section class="card stack">
    <h2>${tr("Connected players")}</h2>
    <${ByName} app=${app} show="players" />
    <${Shown} app=${app} loaded=${loaded} what=${tr("the players")}>
      ${(/** @type {PlayersAnswer} */ { players, total }) => html`<${List}
        label=${tr("Connected players")}
        items=${players}
        keyOf=${(/** @type {ConnectedPlayer} */ each) => each.name}
        most=${LIMIT}
        more=${more(players.length, total)}
        row=${(/** @type {ConnectedPlayer} */ each) => html`<div class="grow">
            <p><${Name} name=${each.name} /> <${Badges} of=${each} /></p>
            <p class="muted small">${facts(each)}</p>
          </div>
          <${Manage} name=${each.name} onPress=${() => setChosen(each)} />`}
        empty=${tr("Nobody with this name is connected.")}
      />`}
    <//>
    ${chosen &&
    html`<${PlayerDialog} app=${app} player=${{ ...chosen, connected: true }} again=${loaded.again} onClose=${() => setChosen(null)}>
      <p class="muted small">${joined([facts(chosen), chosen.scopes.join(", ")])}</p>
    <//>`}
  </section>`;
}

/** @param {{of: {kind: string, claimed: boolean, admin: boolean}}} props */
function Badges({ of }) {
  return html`${of.kind === "bot" && html`<span class="badge">${tr("bot")}</span> `}
  ${of.admin ? html`<span class="badge open">${tr("admin")}</span>` : !of.claimed && html`<span class="badge">${tr("guest")}</span>`}`;
}

/** @param {{app: App}} props */
export function AccountsPart({ app }) {
  const search = nameIn(app);
  const [chosen, setChosen] = useState(/** @type {StoredPlayer | null} */ (null));
  const loaded = useAdmin(app, "accounts", { search, limit: LIMIT }, 0);
  return html`<section class="card stack">
    <h2>${tr("Stored players")}</h2>
    <${ByName} app=${app} show="accounts" />
    <${Shown} app=${app} loaded=${loaded} what=${tr("the accounts")}>
      ${(/** @type {AccountsAnswer} */ { accounts }) => html`<${List}
        label=${tr("Stored players")}
        items=${accounts}
        keyOf=${(/** @type {StoredPlayer} */ each) => each.account_id}
        most=${LIMIT}
        more=${accounts.length < LIMIT ? "" : tr("Only the newest {count} are listed. Filter by name for others.", { count: LIMIT })}
        row=${(/** @type {StoredPlayer} */ each) => html`<div class="grow">
            <p>
              <${Name} name=${each.name} /> <${Badges} of=${each} />
              ${each.connected && html` <span class="badge good">${tr("online")}</span>`}
              ${each.bans.length > 0 && html` <span class="badge bad">${tr("banned")}</span>`}
            </p>
            <p class="muted small">
              ${each.email && `${each.email} · `}${each.run_by && `${tr("run by {name}", { name: each.run_by })} · `}${parts("since {when}", { when: html`<${When} ms=${each.created_ms} />` })}
            </p>
          </div>
          <${Manage} name=${each.name} onPress=${() => setChosen(each)} />`}
        empty=${tr("Nobody has this name.")}
      />`}
    <//>
    ${chosen &&
    html`<${PlayerDialog} app=${app} player=${chosen} again=${loaded.again} onClose=${() => setChosen(null)} />`}
  </section>`;
}

/** @param {{app: App}} props */
export function RoomsPart({ app }) {
  const loaded = useAdmin(app, "rooms", { limit: LIMIT }, EVERY_MS);
  const [action, setAction] = useState(/** @type {Action | null} */ (null));
  const names = (/** @type {RoomLine} */ room) => room.players.filter(Boolean).join(" – ");
  return html`<section class="card stack">
    <h2>${tr("Open rooms")}</h2>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the rooms")}>
      ${(/** @type {RoomsAnswer} */ { rooms, total }) => html`<${List}
        label=${tr("Open rooms")}
        items=${rooms}
        keyOf=${(/** @type {RoomLine} */ room) => room.room}
        most=${LIMIT}
        more=${rooms.length < total ? tr("Only the newest {count} of {total} are listed.", { count: rooms.length, total }) : ""}
        row=${(/** @type {RoomLine} */ room) => html`<div class="grow">
            <p>
              <a href=${`/room/${room.room}`}>${names(room) || tr("Nobody sits here")}</a>
              ${room.private && html` <span class="badge">${tr("private")}</span>`}
            </p>
            <p class="muted small">
              ${joined([room.game, sizeText(room.size), room.status, plural("1 move", "{n} moves", room.ply), room.tournament,
                room.spectators > 0 && plural("1 spectator", "{n} spectators", room.spectators)])}
            </p>
          </div>
          <${Button} small aria-label=${tr("Close the room {room}", { room: names(room) || room.room })}
            onPress=${() => setAction(closeRoom(room.room, names(room)))}>${tr("Close ...")}<//>`}
        empty=${tr("No room is open.")}
      />`}
    <//>
    ${action && html`<${ActionDialog} app=${app} action=${action} again=${loaded.again} onClose=${() => setAction(null)} />`}
  </section>`;
}

/** @param {{app: App}} props */
export function BansPart({ app }) {
  const loaded = useAdmin(app, "bans", {}, EVERY_MS);
  const [action, setAction] = useState(/** @type {Action | null} */ (null));
  const who = (/** @type {BanAnswer} */ ban) => ban.player ?? ban.network ?? ban.ban_id;
  return html`<section class="card stack">
    <h2>${tr("Bans")}</h2>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the bans")}>
      ${(/** @type {BansAnswer} */ { bans }) => html`<${List}
        label=${tr("Bans")}
        items=${bans}
        keyOf=${(/** @type {BanAnswer} */ ban) => ban.ban_id}
        row=${(/** @type {BanAnswer} */ ban) => html`<div class="grow">
            <p><strong>${who(ban)}</strong> ${ban.reason}</p>
            <p class="muted small">${joined([banEnd(ban), tr("by {name}", { name: ban.made_by })])} · <${When} ms=${ban.made_ms} /></p>
          </div>
          <${Button} small aria-label=${tr("Lift the ban of {who}", { who: who(ban) })}
            onPress=${() => setAction(unban(ban.ban_id, who(ban)))}>${tr("Lift ...")}<//>`}
        empty=${tr("Nobody is banned.")}
      />`}
    <//>
    <div class="row"><${Button} onPress=${() => setAction(banNetwork())}>${tr("Ban an address ...")}<//></div>
    ${action && html`<${ActionDialog} app=${app} action=${action} again=${loaded.again} onClose=${() => setAction(null)} />`}
  </section>`;
}

/** @param {{app: App}} props */
export function AuditPart({ app }) {
  const [before, setBefore] = useState(0);
  const loaded = useAdmin(app, "audit", { limit: LIMIT, ...(before ? { before } : {}) }, 0);
  return html`<section class="card stack">
    <h2>${tr("Audit log")}</h2>
    <p class="muted">${tr("Everything that admins and the host have changed, newest first.")}</p>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the audit log")}>
      ${(/** @type {AuditAnswer} */ { entries, next }) => html`<${List}
          label=${tr("Audit log")}
          items=${entries}
          keyOf=${(/** @type {AuditLine} */ entry) => `${entry.number}`}
          most=${LIMIT}
          row=${(/** @type {AuditLine} */ entry) => html`<div class="grow">
            <p><strong>${entry.action}</strong> ${entry.target}</p>
            <p class="muted small">${joined([entry.actor, entry.address, entry.detail])} · <${When} ms=${entry.at_ms} /></p>
          </div>`}
          empty=${tr("Nothing was changed yet.")}
        />
        <div class="row">
          ${before > 0 && html`<${Button} onPress=${() => setBefore(0)}>${tr("Newest")}<//>`}
          ${next !== null && html`<${Button} onPress=${() => setBefore(next)}>${tr("Older")}<//>`}
        </div>`}
    <//>
  </section>`;
}
