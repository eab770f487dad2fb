// The best players of a game at /ratings, by game and size.

import { html } from "../html.js";
import { intervalText, ratingText } from "../models/rating.js";
import { knownTitle } from "../models/title.js";
import { grouped } from "../models/tournament-words.js";
import { withParams } from "../net/api.js";
import { parts, plural, tr } from "../texts.js";
import { Choice, Select } from "../widgets/choice.js";
import { Shown, useAnswer } from "./common/load.js";
import { Name, PageHead, useTitle } from "./common/parts.js";
import { Table, numbers } from "./common/table.js";

/** @import { Pool, RatingAnswer, Ratings } from "../types/api.js" */

/** @param {{app: import("../app/app.js").App}} props */
export function RatingsPage({ app }) {
  useTitle(app, tr("Ratings"));
  const query = new URLSearchParams(app.route.value.search);
  const loaded = useAnswer("/api/ratings");
  return html`<div class="page">
    <${PageHead}
      title=${tr("Ratings")}
      about=${tr("Every rated game changes the ratings of both players. Each game and size has its own.")}
    />
    <${Shown} app=${app} loaded=${loaded} what=${tr("the ratings")}>
      ${(/** @type {Ratings} */ found) =>
        html`<${Chosen} app=${app} pools=${found.pools ?? []} query=${query} />`}
    <//>
  </div>`;
}

/** @param {{app: import("../app/app.js").App, pools: Pool[], query: URLSearchParams}} props */
function Chosen({ app, pools, query }) {
  const [game, size] = [query.get("game"), query.get("size")];
  const bots = query.get("bots") ?? "";
  const pool = pools.find((each) => each.game === game && (!size || each.size === size)) ?? pools[0];
  if (pool === undefined) {
    return html`<div class="card empty">
      <p>${parts("Nobody has a rating yet. Play a {game}: both players then appear here.", { game: html`<a href="/">${tr("rated game")}</a>` })}</p>
    </div>`;
  }
  const show = (/** @type {Record<string, string>} */ chosen) =>
    app.navigate(withParams("/ratings", { game: pool.game, size: pool.size, bots, ...chosen }));
  return html`<div class="stack">
    <div class="card filters">
      <${Select}
        label=${tr("Game and size")}
        value=${JSON.stringify([pool.game, pool.size])}
        options=${pools.map((each) => ({
          value: JSON.stringify([each.game, each.size]),
          title: `${knownTitle(each.title)} (${plural("1 player", "{n} players", each.ratings, grouped(each.ratings))})`,
        }))}
        onChange=${(/** @type {string} */ value) => {
          const [newGame, newSize] = JSON.parse(value);
          show({ game: newGame, size: newSize });
        }}
      />
      <${Choice}
        label=${tr("Players")}
        value=${bots}
        options=${[
          { value: "", title: tr("All") },
          { value: "no", title: tr("People") },
          { value: "yes", title: tr("Bots") },
        ]}
        onChange=${(/** @type {string} */ value) => show({ bots: value })}
      />
    </div>
    <${Figures} app=${app} pool=${pool} bots=${bots} />
  </div>`;
}

/** @param {{app: import("../app/app.js").App, pool: Pool, bots: string}} props */
function Figures({ app, pool, bots }) {
  const params = { game: pool.game, size: pool.size, bots };
  const loaded = useAnswer("/api/ratings", params);
  return html`<section class="card" aria-label=${tr("Ratings in {title}", { title: knownTitle(pool.title) })}>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the ratings")}>
      ${(/** @type {Ratings} */ { ratings }) =>
        ratings?.length
          ? html`<${Rows} ratings=${ratings} me=${app.me.value} title=${knownTitle(pool.title)} />`
          : html`<p class="empty">
              ${bots === "no" ? tr("No person has a rating here yet.") : tr("No bot has a rating here yet.")}
            </p>`}
    <//>
  </section>`;
}

/** @param {{ratings: RatingAnswer[], me: string, title: string}} props */
function Rows({ ratings, me, title }) {
  return html`<${Table}
    caption=${tr("The best players in {title}", { title })}
    kind="cards"
    head=${[numbers(tr("Rank")), tr("Player"), ...[tr("Rating"), tr("95 % interval"), tr("Games")].map(numbers)]}
  >
    ${ratings.map(
      (each, at) => html`<tr key=${`${each.player} ${each.engine}`} class=${each.player === me ? "mine" : ""}>
        <td class="right numbers rank">${each.provisional ? "" : at + 1}</td>
        <th scope="row">
          <${Name} name=${each.player} />${each.player === me && html` <span class="muted">${tr("(you)")}</span>`}
          ${each.engine && html`<span class="muted small engine">${each.engine}</span>`}
        </th>
        <td class="right numbers strong" data-label=${tr("Rating")}>${ratingText(each)}</td>
        <td class="right numbers" data-label=${tr("95 %")}>${intervalText(each)}</td>
        <td class="right numbers" data-label=${tr("Games")}>${each.games}</td>
      </tr>`,
    )}
  <//>
    ${ratings.some((each) => each.provisional) &&
    html`<p class="muted small table-note">${tr("? means provisional: too few games support this rating yet.")}</p>`}`;
}
