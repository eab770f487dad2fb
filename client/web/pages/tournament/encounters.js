// Who met whom in a tournament: a crosstable, the rounds of a Swiss tournament, or a bracket.

import { html } from "../../html.js";
import { gamePath } from "../../models/addresses.js";
import { bracketOf, crosstable, lineOf, roundName, roundsOf } from "../../models/tournament.js";
import { pointsText } from "../../models/tournament-words.js";
import { plural, tr } from "../../texts.js";
import { Name } from "../common/parts.js";

/** @typedef {import("../tournament.js").ReadTournament} ReadTournament */
/** @typedef {import("../../models/tournament.js").Encounter} Encounter */

/** The most players in a crosstable. */
const MOST_CROSS = 32;

/** @param {{found: ReadTournament}} props */
export function Encounters({ found }) {
  if (!found.pairings.length) return null;
  if (found.format === "arena") return null; // the finished games say it better
  if (found.format === "knockout") return html`<${Bracket} found=${found} />`;
  if (found.format === "swiss") return html`<${Rounds} found=${found} />`;
  if (found.entrants.length > MOST_CROSS) return null;
  return html`<${Crosstable} found=${found} />`;
}

/** @param {{found: ReadTournament}} props */
function Crosstable({ found }) {
  const met = crosstable(found);
  const lines = found.entrants.map((each, at) => ({ ...each, at, line: lineOf(each.player, each.engine) }));
  // In a gauntlet one player meets all others, so one column has all there is.
  const hero = found.format === "gauntlet" ? (found.terms.hero ?? "").toLowerCase() : "";
  const heroes = lines.filter((each) => each.player.toLowerCase() === hero);
  const columns = heroes.length ? heroes : lines;
  const ladder = found.format === "ladder";
  const rows = heroes.length ? lines.filter((each) => !heroes.includes(each)) : lines;
  return html`<section class="card stack">
    <h2>${tr("Crosstable")}</h2>
    <div class="table-box" tabindex="0" role="group" aria-label=${tr("Crosstable")}>
      <table class="table cross">
        <caption class="visually-hidden">
          ${tr("Points of the player in the row against the player in the column")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${tr("Points of ... against")}</th>
            ${columns.map(
              ({ player, line, at }) => html`<th scope="col" class="centre numbers" key=${line} title=${player}>
                ${heroes.length ? player : html`<abbr title=${player} aria-label=${player}>${at + 1}</abbr>`}
              </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ player, line, at, state, engine }) => html`<tr key=${line}>
              <th scope="row">
                <span class="muted numbers">${at + 1}</span> <${Name} name=${player} />
                ${ladder && state !== "in" && html` <span class="muted small">${engine}</span>`}
              </th>
              ${columns.map(({ line: other }) => {
                const found = met(line, other);
                if (line === other) return html`<td class="self" key=${other}><span class="visually-hidden">${tr("the same player")}</span></td>`;
                if (found === undefined) return html`<td class="centre muted" key=${other}>–</td>`;
                const share = found.points / found.games;
                const kind = share > 0.5 ? "ahead" : share < 0.5 ? "behind" : "";
                return html`<td key=${other} class=${`centre numbers ${kind}`} title=${plural("1 game", "{n} games", found.games)}>
                  ${pointsText(found.points)}<span class="muted small"> / ${found.games}</span>
                </td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="muted small">${tr("Points of the player in the row, and the games of whole pairs behind them.")}</p>
  </section>`;
}

/** @param {{found: ReadTournament}} props */
function Rounds({ found }) {
  const rounds = roundsOf(found);
  return html`<section class="card stack">
    <h2>${tr("Rounds")}</h2>
    <div class="stack">
      ${rounds
        .map(
          (encounters, at) => html`<section key=${at} aria-label=${tr("Round {number}", { number: at + 1 })}>
            <h3>${tr("Round {number}", { number: at + 1 })}</h3>
            <ul class="encounters" role="list">
              ${encounters.map(
                (each) => html`<li key=${`${each.first} ${each.second}`}><${Match} encounter=${each} /></li>`,
              )}
            </ul>
          </section>`,
        )
        .reverse()}
    </div>
  </section>`;
}

/** @param {{found: ReadTournament}} props */
function Bracket({ found }) {
  const bracket = bracketOf(found);
  return html`<section class="card stack">
    <h2>${tr("Bracket")}</h2>
    <div class="bracket-box" tabindex="0" role="group" aria-label=${tr("Bracket")}>
      <ol class="bracket" role="list">
        ${bracket.map(
          (matches, at) => html`<li class="bracket-round" key=${at}>
            <h3>${roundName(matches.length, at + 1)}</h3>
            <ul class="encounters" role="list">
              ${matches.map(
                (each, place) => html`<li key=${place}><${Match} encounter=${each} knockout /></li>`,
              )}
            </ul>
          </li>`,
        )}
      </ol>
    </div>
    <p class="muted small">
      ${tr("Who is level after the game pairs plays up to three pairs more; then the net score decides, then the better seed.")}
    </p>
  </section>`;
}

/** @param {{encounter: Encounter, knockout?: boolean}} props */
function Match({ encounter, knockout = false }) {
  const { first, second, bye, points, onward, games, playing, absent } = encounter;
  const line = (/** @type {string | null} */ name, /** @type {number} */ at) => {
    const waits = knockout && !bye ? tr("to be decided") : tr("bye");
    const out = knockout && onward !== null && name !== onward;
    return html`<div class=${name !== null && name === onward ? "match-line onward" : out ? "match-line out" : "match-line"}>
      <span class="match-name">
        ${name === null ? html`<span class="muted">${waits}</span>` : html`<${Name} name=${name} />`}
        ${knockout && name !== null && name === onward && !bye && html`<span class="visually-hidden"> ${tr("goes on")}</span>`}
      </span>
      <span class="numbers">${bye || name === null || first === null || second === null ? "" : pointsText(points[at])}</span>
    </div>`;
  };
  return html`<div class=${playing ? "match playing" : "match"}>
    ${line(first, 0)} ${line(second, 1)}
    ${(playing || games.length > 0) &&
    html`<p class="match-games small muted">
      ${playing && html`<span class="live-dot" aria-hidden="true"></span> ${tr("in play")} `}
      ${games.length > 0 && html`<span>${tr("Games")}</span>`}
      ${games.map((id, at) => html`<a key=${id} href=${gamePath(id)} aria-label=${tr("Game {number} of {first} against {second}", { number: at + 1, first, second })}>${at + 1}</a> `)}
      ${absent.map((name) => html`<span key=${name}>${tr("{name} lost by absence", { name })} </span>`)}
    </p>`}
  </div>`;
}
