// The finished games of this player at /me, private ones included: search and statistics.

import { useEffect, useState } from "preact/hooks";

import { sentenceOf } from "../app/app.js";
import { html } from "../html.js";
import { OUTCOMES, PEOPLE, against, matching, played, share, tallies } from "../models/history.js";
import { gamePath } from "../models/addresses.js";
import { knownTitle } from "../models/title.js";
import { plural, tr } from "../texts.js";
import { Busy } from "../widgets/busy.js";
import { Button } from "../widgets/button.js";
import { Field } from "../widgets/field.js";
import { NameForm } from "../widgets/name-form.js";
import { Notice } from "../widgets/notice.js";
import { OpenGames } from "./common/open-games.js";
import { Name, PageHead, When, useTitle } from "./common/parts.js";
import { Table } from "./common/table.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../types/wire").OwnGame} OwnGame */

const MOST = 2000;
const AT_ONCE = 200;
const SHOWN = 50;
const COLUMNS = [tr("Game"), tr("Played"), tr("Won"), tr("Drawn"), tr("Lost"), tr("Share")];

/** @param {{app: App}} props */
export function MePage({ app }) {
  useTitle(app, tr("My games"));
  const known = app.known.value;
  return html`<div class="page">
    <${PageHead}
      title=${tr("My games")}
      about=${tr("Your games in play, and your finished ones, also those in private rooms and at one screen.")}
    />
    ${known
      ? html`<${OpenGames} app=${app} /><h2 class="finished-games">${tr("Finished games")}</h2><${Games} app=${app} />`
      : html`<section class="card"><${NameForm} app=${app} action=${tr("Continue")} /></section>`}
  </div>`;
}

/** @param {{app: App}} props */
function Games({ app }) {
  const [games, setGames] = useState(/** @type {OwnGame[]} */ ([]));
  const [state, setState] = useState("loading");
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState(SHOWN);
  const load = async (/** @type {() => boolean} */ stopped) => {
    setState("loading");
    /** @type {OwnGame[]} */
    const all = [];
    try {
      await app.connect();
      for (let more = true; more && all.length < MOST; ) {
        const last = all.at(-1);
        const place = { before_ms: last?.finished_ms ?? null, before_id: last?.game_id ?? null };
        const answer = /** @type {import("../types/wire").GamesFound} */ (
          await app.request({ type: "get_games", limit: AT_ONCE, ...place })
        );
        if (stopped()) return;
        all.push(...answer.games);
        more = answer.more;
        setGames([...all]);
      }
      setState("");
    } catch (error) {
      if (!stopped()) setState(sentenceOf(error));
    }
  };
  useEffect(() => {
    let stopped = false;
    void load(() => stopped);
    return () => void (stopped = true);
  }, []);
  if (!games.length) {
    if (state === "loading") return html`<${Busy}>${tr("Loading your games ...")}<//>`;
    if (!state) return html`<section class="card"><p>${tr("You have no finished games here yet.")}</p></section>`;
  }
  const found = matching(games, search);
  return html`<div class="stack">
    ${state &&
    state !== "loading" &&
    html`<${Notice}
      kind="bad"
      title=${tr("The list is not complete.")}
      actions=${html`<${Button} onPress=${() => load(() => false)}>${tr("Try again")}<//>`}
      >${state}<//>`}
    <section class="card stack" role="search">
      <${Field} label=${tr("Search")} name="search" type="search" value=${search} onInput=${setSearch} />
      <p class="muted small">${tr("Names, games, sizes such as 5x5, levels, won, lost, draw, rated, private")}</p>
      <p role="status">
        ${state === "loading" && `${tr("Loading ...")} `}${countLine(found.length, games.length)}
      </p>
    </section>
    <section class="card" aria-label=${tr("Games")}>
      <ul class="game-lines" role="list" aria-label=${tr("My games")}>
        ${found.slice(0, shown).map((game) => html`<${Line} key=${game.game_id} game=${game} />`)}
      </ul>
      ${found.length > shown && html`<p><${Button} onPress=${() => setShown(shown + SHOWN)}>${tr("Show more")}<//></p>`}
    </section>
    <${Statistics} games=${found} />
  </div>`;
}

/**
 * @param {number} found
 * @param {number} total
 */
function countLine(found, total) {
  if (total === MOST) return tr("{found} of your newest {total} games", { found, total });
  return found === total
    ? plural("1 game", "{n} games", total)
    : tr("{found} of your {total} games", { found, total });
}

/** @param {{game: OwnGame}} props */
function Line({ game }) {
  const other = game.players[1 - game.seat] ?? "";
  const kind = { won: "badge good", lost: "badge bad", drawn: "badge", none: "badge" }[game.outcome];
  const who = against(game);
  const facts = [knownTitle(game.title), who !== PEOPLE && who !== other && who, game.rated && tr("rated"), game.private && tr("private")];
  return html`<li class="game-line">
    <div class="grow">
      <p class="opponents">
        <span class=${kind}>${OUTCOMES[game.outcome]}</span>
        <span class="numbers score">${game.scores[game.seat]} : ${game.scores[1 - game.seat]}</span>
        <span class="muted">${tr("against")}</span> <${Name} name=${other} />
      </p>
      <p class="muted small">${facts.filter(Boolean).join(" · ")} · <${When} ms=${game.finished_ms} /></p>
    </div>
    <a class="button small" href=${gamePath(game.game_id)} aria-label=${tr("Review the game against {name}", { name: other })}>${tr("Review")}</a>
  </li>`;
}

/** @param {{games: OwnGame[]}} props */
function Statistics({ games }) {
  const found = tallies(games);
  if (!found.length) return null;
  return html`<section class="card stack">
    <h2>${tr("Statistics")}</h2>
    <${Table} caption=${tr("Results by opponent and game")} kind="cards" head=${[tr("Against"), ...COLUMNS]}>
      ${found.map(
        (tally) => html`<tr key=${`${tally.title} ${tally.against}`}>
          <th scope="row">${tally.against}</th>
          <td data-label=${COLUMNS[0]}>${tally.title}</td>
          <td class="numbers" data-label=${COLUMNS[1]}>${played(tally)}</td>
          <td class="numbers" data-label=${COLUMNS[2]}>${tally.won}</td>
          <td class="numbers" data-label=${COLUMNS[3]}>${tally.drawn}</td>
          <td class="numbers" data-label=${COLUMNS[4]}>${tally.lost}</td>
          <td class="numbers" data-label=${COLUMNS[5]}>${share(tally)} %</td>
        </tr>`,
      )}
    <//>
  </section>`;
}
