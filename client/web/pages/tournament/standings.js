// The table of a tournament; its organiser sets players aside and takes them back here.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { absences } from "../../models/tournament.js";
import { tableOf, tieBreaks } from "../../models/tournament-words.js";
import { parts, plural, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field, MOST_LABEL } from "../../widgets/field.js";
import { Icon } from "../../widgets/icon.js";
import { Name, When } from "../common/parts.js";
import { Table, numbers } from "../common/table.js";

/** @import { Ask, ReadTournament } from "../tournament.js" */

/**
 * @param {{app: import("../../app/app.js").App, found: ReadTournament, ask: Ask, working: string,
 *   owns: boolean}} props
 */
export function Standings({ app, found, ask, working, owns }) {
  const [aside, setAside] = useState("");
  if (!found.entrants.length) {
    return html`<p class="empty">
      ${found.terms.people
        ? tr("Nobody has joined yet. Pass on the link of this page.")
        : tr("Nobody has joined yet. Pass on the link of this page; only bots may join.")}
    </p>`;
  }
  const runs = found.status === "open" || found.status === "running";
  const breaks = tieBreaks(found.terms);
  const rated = found.format === "ladder";
  const arena = found.format === "arena";
  const rows = tableOf(found);
  const absent = absences(found.games);
  // After the end only the reason of a player who left early is left to say.
  const shows = runs || rows.some((row) => row.now);
  return html`
    <${Table}
      caption=${tr("The players by place")}
      kind="cards"
      head=${[
        numbers(tr("Place")),
        tr("Player"),
        rated && numbers(tr("Rating")),
        ...[tr("Points"), tr("Games"), ...(arena ? [tr("Performance")] : []), ...breaks.map(({ name }) => name), tr("Net score")].map(numbers),
        shows && tr("Now"),
        owns && runs && [tr("Actions"), "visually-hidden"],
      ]}
    >
      ${rows.map(
        (row, at) => html`<tr
          key=${`${row.player} ${row.engine}`}
          class=${[row.player === app.me.value && "mine", row.state !== "in" && "out"].filter(Boolean).join(" ")}
        >
          <td class="right numbers rank">${row.place}</td>
          <th scope="row">
            <${Name} name=${row.player} />
            ${row.player === app.me.value && html` <span class="muted">${tr("(you)")}</span>`}
            ${row.engine && html`<span class="muted small engine">${row.engine}</span>`}
            ${absent.has(row.player) &&
            html`<span class="muted small engine">${plural("1 game lost by absence", "{n} games lost by absence", absent.get(row.player) ?? 0)}</span>`}
          </th>
          ${rated && html`<td class="right numbers strong" data-label=${tr("Rating")}>${row.rating}</td>`}
          <td class="right numbers strong" data-label=${tr("Points")}>
            ${found.entrants[at].on_fire && html`<span role="img" title=${tr("Points count double")} aria-label=${tr("Points count double")}><${Icon} name="bolt" size=${16} /></span> `}${row.points}
          </td>
          <td class="right numbers" data-label=${tr("Games")}>${row.games}</td>
          ${arena && html`<td class="right numbers" data-label=${tr("Performance")}>${row.rating}</td>`}
          ${breaks.map(({ key, name }, n) => html`<td key=${key} class="right numbers" data-label=${name}>${row.breaks[n]}</td>`)}
          <td class="right numbers" data-label=${tr("Net score")}>${row.net}</td>
          ${shows &&
          html`<td class=${row.state === "in" && found.entrants[at].playing ? "now playing" : "now muted"} data-label=${row.now && tr("Now")}>
            ${row.now}${rated && !found.entrants[at].online && found.entrants[at].last_ms != null && html`, ${parts("last game {when}", { when: html`<${When} ms=${found.entrants[at].last_ms} />` })}`}
          </td>`}
          ${owns &&
          runs &&
          html`<td class="right">
            ${row.state === "aside"
              ? html`<${Button}
                  small
                  busy=${working === "take_back"}
                  label=${tr("Take back {name}", { name: row.player })}
                  onPress=${() =>
                    ask(
                      { type: "take_back", tournament: found.id, player: row.player },
                      tr("{name} plays again.", { name: row.player }),
                    )}
                >
                  ${tr("player|Take back")}
                <//>`
              : row.state === "in"
                ? html`<${Button} small kind="quiet" label=${tr("Exclude {name}", { name: row.player })} onPress=${() => setAside(row.player)}>
                    ${tr("Exclude")}
                  <//>`
                : null}
          </td>`}
        </tr>`,
      )}
    <//>
    ${rows.length > 0 && html`<p class="muted small">${tr("Net score: own boxes or other points, minus those of the opponents.")}</p>`}
    ${found.format === "round-robin" &&
    rows.some((row) => row.state !== "in") &&
    html`<p class="muted small">
      ${tr("Who leaves or is excluded before playing half of their game pairs ranks last, and points against this player count for nobody.")}
    </p>`}
    ${aside &&
    html`<${AsideDialog}
      player=${aside}
      onClose=${() => setAside("")}
      onAside=${async (/** @type {string} */ reason) => {
        setAside("");
        await ask(
          { type: "set_aside", tournament: found.id, player: aside, reason },
          tr("{name} is excluded.", { name: aside }),
        );
      }}
    />`}
  `;
}

/** @param {{player: string, onClose: () => void, onAside: (reason: string) => void}} props */
function AsideDialog({ player, onClose, onAside }) {
  const [reason, setReason] = useState("");
  return html`<${Dialog}
    title=${tr("Exclude {name}?", { name: player })}
    onClose=${onClose}
    onSubmit=${() => onAside(reason.trim())}
    action=${tr("Exclude")}
    kind="danger"
  >
    <p>${tr("{name} gets no further games of this tournament. You can take the player back later.", { name: player })}</p>
    <${Field} label=${tr("Reason, which everybody sees")} value=${reason} onInput=${setReason} maxlength=${MOST_LABEL} />
  <//>`;
}
