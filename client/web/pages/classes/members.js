// The members of a class with their bots and figures: new tokens, setting aside, and the table for grades.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { getJson, withParams } from "../../net/api.js";
import { download, fetched } from "../../net/files.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Confirm, post } from "../account/asking.js";
import { SecretDialog } from "../account/secret.js";
import { Shown, useLoaded } from "../common/load.js";
import { Name } from "../common/parts.js";
import { Table, numbers } from "../common/table.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { ClassBotAnswer, MemberAnswer, MembersAnswer } from "../../types/api.js" */

const EVERY_MS = 15_000;

/** @param {{app: App, id: string}} props */
export function Members({ app, id }) {
  const { token } = app.identity;
  const loaded = useLoaded((signal) => getJson("/api/classes/members", { id }, { token, signal }), `members ${id}`, EVERY_MS);
  return html`<section class="card stack">
    <h2>${tr("Members")}</h2>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the members")}>
      ${(/** @type {MembersAnswer} */ found) =>
        found.members.length
          ? html`<${Rows} app=${app} found=${found} again=${loaded.again} />
              <div class="row"><${Button} onPress=${() => void save(app, found).catch((error) => app.complain(error))}>${tr("Save as CSV")}<//></div>`
          : html`<p class="empty">${tr("Nobody has joined yet. Pass on the link.")}</p>`}
    <//>
  </section>`;
}

/** @param {{app: App, found: MembersAnswer, again: () => void}} props */
function Rows({ app, found, again }) {
  const [asked, setAsked] = useState(/** @type {{bot: string, action: "token" | "aside"} | null} */ (null));
  const [secret, setSecret] = useState({ bot: "", text: "" });
  const act = (/** @type {string} */ bot, /** @type {string} */ action) =>
    /** @type {Promise<ClassBotAnswer>} */ (post(app, "/api/classes/bot", { id: found.id, bot, action }));
  const back = (/** @type {string} */ bot) => void act(bot, "back").then(again, (error) => app.complain(error));
  const work = async () => {
    if (asked === null) return;
    const { issued } = await act(asked.bot, asked.action);
    if (issued) setSecret({ bot: asked.bot, text: issued.secret });
    again();
  };
  return html`<${Table}
      caption=${tr("Members")}
      kind="cards"
      head=${[tr("Name"), tr("Bot"), ...[tr("Points"), tr("Games"), tr("Rating"), tr("Errors")].map(numbers), [tr("Actions"), "visually-hidden"]]}
    >
      ${found.members.map(
        (each) => html`<tr key=${each.bot}>
          <th scope="row"><bdi>${each.label}</bdi> <span class="muted small">${each.player}</span></th>
          <td data-label=${tr("Bot")}>
            <${Name} name=${each.bot} /> ${each.online && html`<span class="badge open">${tr("here")}</span>`}
            ${each.aside && html`<span class="badge">${tr("excluded")}</span>`}
          </td>
          <td class="right numbers strong" data-label=${tr("Points")}>${each.points}</td>
          <td class="right numbers" data-label=${tr("Games")}>${each.games}</td>
          <td class="right numbers" data-label=${tr("Rating")}>${each.rating === null ? "–" : Math.round(each.rating)}</td>
          <td class="right numbers" data-label=${tr("Errors")}>${errorsOf(each)}</td>
          <td class="right">
            ${each.aside
              ? html`<${Button} small aria-label=${tr("Let {name} play again", { name: each.bot })} onPress=${() => back(each.bot)}>
                  ${tr("Let it play again")}
                <//>`
              : html`<span class="row">
                  <${Button} small aria-label=${tr("New token for {name}", { name: each.bot })}
                    onPress=${() => setAsked({ bot: each.bot, action: "token" })}>${tr("New token ...")}<//>
                  <${Button} small aria-label=${tr("Exclude {name}", { name: each.bot })}
                    onPress=${() => setAsked({ bot: each.bot, action: "aside" })}>${tr("Exclude ...")}<//>
                </span>`}
          </td>
        </tr>`,
      )}
    <//>
    ${asked !== null &&
    html`<${Confirm}
      title=${asked.action === "token" ? tr("New token for {name}", { name: asked.bot }) : tr("Exclude {name}", { name: asked.bot })}
      action=${asked.action === "token" ? tr("Make the token") : tr("Exclude")}
      kind=${asked.action === "token" ? "primary" : "danger"}
      work=${work}
      onClose=${() => setAsked(null)}
    >
      <p>
        ${asked.action === "token"
          ? tr("All other tokens of the bot end. Pass the new one on to its owner.")
          : tr("The bot leaves its games and cannot play until you let it.")}
      </p>
    <//>`}
    ${secret.text &&
    html`<${SecretDialog} app=${app} title=${tr("The token of {name}", { name: secret.bot })} label=${tr("Token")}
      secret=${secret.text} onClose=${() => setSecret({ bot: "", text: "" })} />`}`;
}

/** @param {MemberAnswer} each */
function errorsOf(each) {
  return Object.values(each.errors).reduce((sum, count) => sum + count, 0);
}

/**
 * Save the figures as the server writes them for spreadsheets.
 * @param {App} app
 * @param {MembersAnswer} found
 */
async function save(app, found) {
  const path = withParams("/api/classes/members", { id: found.id, format: "csv" });
  download(await fetched(path, app.identity.token, true), `${found.name}.csv`);
}
