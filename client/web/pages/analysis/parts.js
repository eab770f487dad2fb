// Parts of the analysis board: the choice of the game, the scores, what is said of the position, and links to it.

import { outer } from "../../address.js";
import { html } from "../../html.js";
import { OTHER, defaultSize, sizeOptions } from "../../models/lobby/sizes.js";
import { outlook } from "../../models/review/scores.js";
import { valuesLine } from "../../models/review/values.js";
import { said, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Choice, Select } from "../../widgets/choice.js";
import { Field } from "../../widgets/field.js";
import { Share } from "../../widgets/share.js";

/** @import { CatalogueGame, GameGeometry, GamePosition } from "../../types/api.js" */
/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../models/analysis/address.js").Begin} Begin */

/**
 * @param {{games: CatalogueGame[], game: string, size: string,
 *   choose: (place: import("../analysis.js").Place) => void}} props
 */
export function ChooseGame({ games, game, size, choose }) {
  const at = games.find(({ key }) => key === game);
  if (at === undefined) return null;
  const begin = (/** @type {string} */ key, /** @type {string} */ to) => choose({ game: key, size: to, opening: [], moves: [] });
  return html`<div class="row study-game">
    <${Select}
      label=${tr("Game")}
      hideLabel
      value=${game}
      options=${games.map(({ key, title }) => ({ value: key, title: tr(title) }))}
      onChange=${(/** @type {string} */ key) => begin(key, defaultSize(games.find((each) => each.key === key) ?? at))}
    />
    <${Select}
      label=${tr("Size")}
      hideLabel
      value=${size}
      options=${sizeOptions(at, size).filter(({ value }) => value !== OTHER)}
      onChange=${(/** @type {string} */ to) => begin(game, to)}
    />
  </div>`;
}

/** @param {{players: readonly string[], unit: string, position: GamePosition | undefined}} props */
export function Scores({ players, unit, position }) {
  return html`<div class="study-players">
    ${players.map(
      (name, seat) => html`<div key=${seat} class=${`seat-line seat${seat}`}>
        <span class="seat-mark" aria-hidden="true">${name}</span>
        <span class="visually-hidden">${tr("Player {name}", { name })}</span>
        ${position?.to_move === seat && html`<span class="to-move-mark"><span class="visually-hidden">${tr("to move")}</span></span>`}
        <span class="grow"></span>
        ${unit && html`<span class="numbers seat-score" translate=${false}><span class="visually-hidden">${tr("score")} </span>${position?.scores[seat] ?? 0}</span>`}
      </div>`,
    )}
  </div>`;
}

/**
 * Who is to move in a position that is set up, and the points of both.
 * @param {{players: readonly string[], unit: string, begin: Begin, change: (begin: Begin) => void}} props
 */
export function SetUp({ players, unit, begin, change }) {
  const points = (/** @type {number} */ seat, /** @type {string} */ text) =>
    change({ ...begin, scores: begin.scores.map((each, at) => (at === seat ? Math.min(999, Math.abs(Math.trunc(Number(text)) || 0)) : each)) });
  return html`<${Choice}
      label=${tr("To move")}
      value=${String(begin.seat)}
      options=${players.map((title, seat) => ({ value: String(seat), title }))}
      onChange=${(/** @type {string} */ seat) => change({ ...begin, seat: Number(seat) })}
    />
    ${unit &&
    players.map(
      (name, seat) =>
        html`<${Field} key=${seat} label=${tr("Score of {name}", { name })} type="number" narrow min="0" max="999" value=${begin.scores[seat]} onInput=${(/** @type {string} */ text) => points(seat, text)} />`,
    )}`;
}

/**
 * What is known about the position: what it is worth, the best moves, its long chains.
 * @param {{number: number, move: string, position: GamePosition | undefined, asked: boolean,
 *   answer: import("../../models/review/values.js").Answer | null, known: any, geometry: GameGeometry,
 *   playLine: (line: readonly number[]) => void}} props
 */
export function Told({ number, move, position, asked, answer, known, geometry, playLine }) {
  const players = geometry.seat_names;
  const values = asked ? answer?.values : undefined;
  const exact = values?.value.spread === 0;
  let line = number ? tr("Move {number}: {move}", { number, move }) : tr("Start");
  if (position?.to_move === null) line = `${line} · ${tr("The game is over.")}`;
  const sentences = (known?.sentences ?? []).map(said).join(" ");
  return html`<p class="study-line" aria-live="polite"><span key=${line}>${line}</span>
      ${values && html`${" "}<span class=${exact ? "badge good" : "badge"}>${exact ? tr("exact") : tr("estimate")}</span>`}</p>
    ${asked &&
    html`<div role="status">
      ${values
        ? html`<p class="strong">${outlook(values.value, players, geometry.unit)}</p>
            <p class="small">${valuesLine(values, position?.to_move ?? 0, geometry, players)}</p>`
        : html`<p class="muted">${answer?.problem ?? tr("Working out the values ...")}</p>`}
    </div>`}
    ${sentences && html`<p class="small">${sentences}</p>`}
    ${values && values.line.length > 0 && html`<div class="row"><${Button} small onPress=${() => playLine(values.line)}>${tr("Play out the best line")}<//></div>`}`;
}

/** @param {{app: App, path: string, url: string}} props `path`: of the position shown; `url`: of all that was tried */
export function PassOn({ app, path, url }) {
  const picture = outer(`/api/previews/analysis/${path.split("/")[2]}/picture`);
  return html`<section class="stack">
    <h2>${tr("Pass it on")}</h2>
    <${Share} app=${app} url=${location.origin + url} title=${tr("Analysis board")} label=${tr("Link to this analysis")} qr="hidden" />
    <p><a href=${picture} target="_blank">${tr("A picture of this position")}</a></p>
  </section>`;
}
