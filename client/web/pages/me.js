// The finished games of this player at /me, private ones included: search and statistics.

import { useEffect, useState } from "preact/hooks";

import { sentenceOf } from "../app/app.js";
import { html } from "../html.js";
import { ownCard } from "../models/game-cards.js";
import { matching, played, share, tallies } from "../models/history.js";
import { withParams } from "../net/api.js";
import { plural, tr } from "../texts.js";
import { Busy } from "../widgets/busy.js";
import { Button } from "../widgets/button.js";
import { Field } from "../widgets/field.js";
import { Filter } from "../widgets/filter.js";
import { NameForm } from "../widgets/name-form.js";
import { Notice } from "../widgets/notice.js";
import { GameCards } from "./common/game-cards.js";
import { OpenGames } from "./common/open-games.js";
import { PageHead, useTitle } from "./common/parts.js";
import { Table } from "./common/table.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../types/wire").OwnGame} OwnGame */

const MOST = 2000;
const AT_ONCE = 200;
const SHOWN = 30;
const COLUMNS = [tr("Game"), tr("Played"), tr("Won"), tr("Drawn"), tr("Lost"), tr("Share")];

/** @param {{app: App}} props */
export function MePage({ app }) {
  useTitle(app, tr("My games"));
  const known = app.known.value;
  return html`<div class="page wide">
    <${PageHead}
      title=${tr("My games")}
    />
    ${known
      ? html`<div class="stack"><${OpenGames} app=${app} /><${Games} app=${app} /></div>`
      : html`<section class="card"><${NameForm} app=${app} action=${tr("Continue")} /></section>`}
  </div>`;
}

/** @param {{app: App}} props */
function Games({ app }) {
  const [games, setGames] = useState(/** @type {OwnGame[]} */ ([]));
  const [state, setState] = useState("loading");
  const [typed, setTyped] = useState("");
  const search = new URLSearchParams(app.route.value.search).get("search") ?? "";
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
  return html`${state &&
    state !== "loading" &&
    html`<${Notice}
      kind="bad"
      title=${tr("The list is not complete.")}
      actions=${html`<${Button} onPress=${() => load(() => false)}>${tr("Try again")}<//>`}
      >${state}<//>`}
    <${Filter}
      head=${html`<h2>${tr("Finished games")}</h2>`}
      aside=${html`<span class="muted small" role="status">
        ${state === "loading" && `${tr("Loading ...")} `}${(search || games.length > SHOWN) && countLine(found.length, games.length)}
      </span>`}
      chips=${search ? [{ title: search, href: "/me" }] : []}
      onSubmit=${() => app.navigate(withParams("/me", { search: typed.trim() }))}
    >
      <${Field} label=${tr("Search")} name="search" type="search" value=${typed} onInput=${setTyped}
        hint=${tr("Names, games, sizes such as 5x5, levels, won, lost, draw, rated, private")} />
    <//>
    <${GameCards} app=${app} games=${found.slice(0, shown).map(ownCard)} label=${tr("My games")} />
    ${found.length > shown && html`<p><${Button} onPress=${() => setShown(shown + SHOWN)}>${tr("Show more")}<//></p>`}
    <${Statistics} games=${found} />`;
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
