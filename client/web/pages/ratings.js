// The best players of a game at /ratings, by game and size: the first three large, the others in a table.

import { html } from "../html.js";
import { positionOf } from "../models/open-games.js";
import { intervalText, ratingText } from "../models/rating.js";
import { knownTitle } from "../models/title.js";
import { grouped } from "../models/tournament-words.js";
import { getJson, withParams } from "../net/api.js";
import { parts, plural, tr } from "../texts.js";
import { Choice, Select } from "../widgets/choice.js";
import { Filter } from "../widgets/filter.js";
import { playerPath } from "../widgets/player.js";
import { SmallBoard } from "./common/game-cards.js";
import { Shown, useAnswer, useLoaded } from "./common/load.js";
import { Name, PageHead, useTitle } from "./common/parts.js";
import { Table, numbers } from "./common/table.js";

/** @import { Games, Boards, Pool, RatingAnswer, Ratings } from "../types/api.js" */
/** @typedef {import("../app/app.js").App} App */

/** How many players are drawn large, and among how many of their last games each one's board is looked for. */
const BEST = 3;
const LAST = 10;

/** @param {{app: App}} props */
export function RatingsPage({ app }) {
  useTitle(app, tr("Ratings"));
  const query = new URLSearchParams(app.route.value.search);
  const loaded = useAnswer("/api/ratings");
  return html`<div class="page">
    <${PageHead} title=${tr("Ratings")} />
    <${Shown} app=${app} loaded=${loaded} what=${tr("the ratings")}>
      ${(/** @type {Ratings} */ found) =>
        html`<${Chosen} app=${app} pools=${found.pools ?? []} query=${query} />`}
    <//>
  </div>`;
}

/** @param {{app: App, pools: Pool[], query: URLSearchParams}} props */
function Chosen({ app, pools, query }) {
  const [game, size] = [query.get("game"), query.get("size")];
  const bots = query.get("bots") ?? "";
  const pool = pools.find((each) => each.game === game && (!size || each.size === size)) ?? pools[0];
  if (pool === undefined) {
    return html`<div class="card empty">
      <p>${parts("Nobody has a rating yet. Play a {game}: both players then appear here.", { game: html`<a href="/">${tr("rated game")}</a>` })}</p>
    </div>`;
  }
  const at = (/** @type {Record<string, string>} */ chosen) =>
    withParams("/ratings", { game: pool.game, size: pool.size, bots, ...chosen });
  const kinds = [
    { value: "", title: tr("All") },
    { value: "no", title: tr("People") },
    { value: "yes", title: tr("Bots") },
  ];
  const kind = kinds.find(({ value }) => value && value === bots);
  return html`<div class="stack">
    <${Filter}
      chips=${kind ? [{ title: kind.title, href: at({ bots: "" }) }] : []}
      head=${html`<h2>${knownTitle(pool.title)}</h2>`}
    >
      <${Select}
        label=${tr("Game and size")}
        value=${at({})}
        options=${pools.map((each) => ({
          value: at({ game: each.game, size: each.size }),
          title: `${knownTitle(each.title)} (${plural("1 player", "{n} players", each.ratings, grouped(each.ratings))})`,
        }))}
        onChange=${(/** @type {string} */ path) => app.navigate(path)}
      />
      <${Choice} label=${tr("Players")} value=${bots} options=${kinds}
        onChange=${(/** @type {string} */ value) => app.navigate(at({ bots: value }))} />
    <//>
    <${Figures} app=${app} pool=${pool} bots=${bots} />
  </div>`;
}

/** @param {{app: App, pool: Pool, bots: string}} props */
function Figures({ app, pool, bots }) {
  const loaded = useAnswer("/api/ratings", { game: pool.game, size: pool.size, bots });
  const title = knownTitle(pool.title);
  return html`<${Shown} app=${app} loaded=${loaded} what=${tr("the ratings")}>
    ${(/** @type {Ratings} */ { ratings }) =>
      ratings?.length
        ? html`<${Best} app=${app} ratings=${ratings.slice(0, BEST)} title=${title} />
            ${ratings.length > BEST && html`<${Rows} ratings=${ratings} me=${app.me.value} title=${title} />`}
            ${ratings.some((each) => each.provisional) &&
            html`<p class="muted small">${tr("? means provisional: too few games support this rating yet.")}</p>`}
            <p class="muted small">${tr("Every rated game changes the ratings of both players. Each game and size has its own.")}</p>`
        : html`<p class="empty">
            ${bots === "no" ? tr("No person has a rating here yet.") : tr("No bot has a rating here yet.")}
          </p>`}
  <//>`;
}

/**
 * The best players, each with the board of the last game.
 * @param {{app: App, ratings: RatingAnswer[], title: string}} props
 */
function Best({ app, ratings, title }) {
  const key = ratings.map(({ player, game, size }) => `${player} ${game} ${size}`).join("\n");
  // Without a board a player is still there to read, so a failure is no news.
  const { value: games } = useLoaded((signal) => lastGames(ratings, signal), key);
  return html`<ol class="open-games best" role="list" aria-label=${tr("The best players in {title}", { title })}>
    ${ratings.map((each, at) => {
      const game = games?.[at];
      return html`<li key=${`${each.player} ${each.engine}`}>
        <a class=${each.player === app.me.value ? "open-game mine" : "open-game"} href=${playerPath(each.player)}>
          <${SmallBoard} app=${app} which=${game?.last} players=${game?.players ?? []}
            position=${game?.last && positionOf({ ...game.last, to_move: null })} />
          <span class="open-game-facts">
            <span class="best-name">${!each.provisional && html`<span class="muted numbers">${at + 1}</span> `}<bdi translate=${false}>${each.player}</bdi></span>
            <span class="best-rating numbers">${ratingText(each)}</span>
            <span class="small muted">
              ${each.engine && html`<span class="open-game-line">${each.engine}</span>`}
              <span class="open-game-line">${plural("1 game", "{n} games", each.games)}</span>
              ${tr("95 %")} ${intervalText(each)}
            </span>
          </span>
        </a>
      </li>`;
    })}
  </ol>`;
}

/**
 * Return the last public game of each player in the game and size of the rating, with its board.
 * @param {readonly RatingAnswer[]} ratings
 * @param {AbortSignal} signal
 */
async function lastGames(ratings, signal) {
  const found = await Promise.all(
    ratings.map(async ({ player, game, size }) => {
      /** @type {Games} */
      const { games } = await getJson("/api/games", { player, game, limit: LAST }, { signal });
      return games.find((each) => each.size === size);
    }),
  );
  const asked = found.flatMap((game) => game?.id ?? []);
  /** @type {Boards} */
  const { boards } = await getJson("/api/boards", { games: [...new Set(asked)].join(",") }, { signal });
  return found.map((game) => game && { ...game, last: boards.find(({ id }) => id === game.id) });
}

/** @param {{ratings: RatingAnswer[], me: string, title: string}} props */
function Rows({ ratings, me, title }) {
  return html`<section class="card"><${Table}
    caption=${tr("The other players in {title}", { title })}
    kind="cards"
    head=${[numbers(tr("Rank")), tr("Player"), ...[tr("Rating"), tr("95 % interval"), tr("Games")].map(numbers)]}
  >
    ${ratings.slice(BEST).map(
      (each, at) => html`<tr key=${`${each.player} ${each.engine}`} class=${each.player === me ? "mine" : ""}>
        <td class="right numbers rank">${each.provisional ? "" : at + BEST + 1}</td>
        <th scope="row">
          <${Name} name=${each.player} />${each.player === me && html` <span class="muted">${tr("(you)")}</span>`}
          ${each.engine && html`<span class="muted small engine">${each.engine}</span>`}
        </th>
        <td class="right numbers strong" data-label=${tr("Rating")}>${ratingText(each)}</td>
        <td class="right numbers" data-label=${tr("95 %")}>${intervalText(each)}</td>
        <td class="right numbers" data-label=${tr("Games")}>${each.games}</td>
      </tr>`,
    )}
  <//></section>`;
}
