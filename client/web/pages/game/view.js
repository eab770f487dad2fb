// The review of a game: board, stepping, players, curve, moves, facts and exports.

import { useReducer, useRef, useState } from "preact/hooks";

import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { html } from "../../html.js";
import { factsOf, outcomeOf } from "../../models/game-words.js";
import { startOf } from "../../models/review/from-here.js";
import { dateText, timeText } from "../../models/time.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";
import { clockFace } from "../../models/clock-face.js";
import { Switch } from "../../widgets/field.js";
import { Button } from "../../widgets/button.js";
import { Share } from "../../widgets/share.js";
import { GameNote } from "../common/note.js";
import { Overlays } from "../common/overlays.js";
import { ReportDialog } from "../common/people.js";
import { PageHead, Name, When } from "../common/parts.js";
import { AnalysisCard, useAnalysis } from "./analysis.js";
import { CommentCard } from "./comment.js";
import { StepControls } from "./controls.js";
import { ScoreCurve } from "./curve.js";
import { Exports } from "./exports.js";
import { FromHereDialog } from "./from-here.js";
import { MoveList } from "./moves.js";
import { FileButtons } from "./pass-on.js";
import { linkTo, useActions, useAddress, useAutomaticPlay, useFacts, useKeys } from "./stepping.js";
import { ValuesLine, layerOf, offersValues, useValues } from "./values.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("../../app/app.js").App} App */
/** @typedef {{code: string, token: string | null}} Access */

/**
 * @param {{app: App, review: Review, access: Access | null, ply: number | null,
 *   actions?: import("preact").ComponentChildren}} props `access`: null for a game that the server
 *   does not have, which therefore has no address and no exports
 */
export function ReviewView({ app, review, access, ply, actions }) {
  const [, redraw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const first = useRef(true);
  if (first.current) {
    first.current = false;
    review.go(ply ?? review.total);
  }
  const change = (/** @type {() => void} */ act) => {
    const before = review.moves.length;
    act();
    redraw(0);
    if (review.moves.length === before + 1) app.sounds.play(review.scored ? "capture" : "draw");
  };
  const act = useActions(app, review, change);
  useAutomaticPlay(app, review, change);
  const [reporting, setReporting] = useState(false);
  const [valued, setValued] = useState(false);
  const [start, setStart] = useState(/** @type {ReturnType<typeof startOf>} */ (null));
  const asked = useAnalysis(app, review, access, () => redraw(0));
  const valuesOf = useValues(review, () => redraw(0));
  useAddress(review, access === null ? null : access.code);
  const { game, geometry } = review;
  const outcome = outcomeOf(game);
  const overlay = app.settings.overlay.value;
  const fact = useFacts(review, () => redraw(0));
  const over = review.toMove === null;
  const offered = offersValues(app, game.game);
  useKeys(app, review, act, offered ? () => setValued((on) => !on) : null);
  const shown = valued && offered && !over;
  const values = shown ? valuesOf() : null;
  // The values say more than the heat map, and both would hide each other.
  const heat = app.settings.heat.value && review.offers.policy && !over && !shown;
  const { variation } = review;
  const dated = Number.isFinite(game.finished_ms);
  const title = knownTitle(geometry.title);
  const about = [title, timeText(game.time_control), game.rated ? tr("rated") : tr("casual")];
  return html`
    <${PageHead}
      title=${html`<span class="review-title">${game.players[0]} <span class="muted">${tr("against")}</span> ${game.players[1]}</span>`}
      about=${html`${about.filter(Boolean).join(" · ")}${dated && html`${" · "}<${When} ms=${game.finished_ms} />`}`}
      actions=${actions}
    />
    <div class="review" style=${{ "--ratio": String(ratioOf(geometry)) }}>
      <section class="review-board" aria-label=${tr("Board")}>
        <${Seat} review=${review} seat=${0} linked=${access !== null} />
        <div class=${variation ? "review-board-box aside" : "review-board-box"}>
          <${Board}
            geometry=${geometry}
            position=${review.position}
            seats=${review.initials.map((initial, seat) => ({ name: game.players[seat], initial }))}
            seat=${null}
            mode="watch"
            features=${overlay && review.offers.features ? (fact("features")?.features ?? null) : null}
            heat=${heat ? fact("policy") : undefined}
            layer=${layerOf(review, values)}
            rim=${app.settings.rim.value}
            label=${`${title}. ${review.line}.${geometry.unit && ` ${review.lead}`}`}
            say=${app.say}
          />
          ${shown && html`<${ValuesLine} review=${review} answer=${values} />`}
        </div>
        <${Seat} review=${review} seat=${1} linked=${access !== null} />
      </section>
      <section class="review-control" aria-label=${tr("Moves through the game")}>
        <p class=${variation ? "review-line aside" : "review-line"} aria-live="polite">
          <span key=${review.line}>${review.line}</span>${variation && html`${" "}<span class="small">${tr("(not from the game)")}</span>${" "}<${Button} small onPress=${act.leave}>${tr("Back to the game")}<//>`}
        </p>
        <${StepControls} review=${review} act=${act} />
        <div class="review-switches">
          <${Overlays} app=${app} ...${review.offers} />
          ${offered && html`<${Switch} label=${tr("Values")} checked=${valued} onChange=${setValued} />`}
          <${Button} small disabled=${over} onPress=${() => setStart(startOf(review, app.me.value))}>${tr("Play from here")}<//>
        </div>
        ${start !== null && html`<${FromHereDialog} app=${app} start=${start} onClose=${() => setStart(null)} />`}
      </section>
      <div class="review-side stack">
        <section class="card result-card">
          <p class="result-head">
            ${outcome.headline}${geometry.unit && html`${" "}<span class="numbers">${outcome.score}</span>`}
          </p>
          <p class="muted">${outcome.why}</p>
        </section>
        <${CommentCard} review=${review} act=${act} />
        <${AnalysisCard} app=${app} review=${review} asked=${asked} />
        ${geometry.unit &&
        html`<section class="card">
          <h2>${tr("Score")}</h2>
          <${ScoreCurve} review=${review} onPly=${act.go} />
        </section>`}
        <section class="card moves-card">
          <h2>${tr("Moves")}</h2>
          <${MoveList} review=${review} onPly=${act.go} />
        </section>
        <section class="card">
          <h2>${tr("Facts")}</h2>
          <dl class="facts">
            ${factsOf(review, { when: dated ? dateText(game.finished_ms) : "" }).map(
              ([label, text]) => html`<div key=${label}>
                <dt>${label}</dt>
                <dd>${text}</dd>
              </div>`,
            )}
          </dl>
        </section>
        ${access !== null && app.known.value && game.players.includes(app.me.value) &&
        html`<section class="card"><${GameNote} app=${app} game=${game.id} /></section>`}
        ${access !== null &&
        html`<section class="card stack">
          <h2>${tr("Pass it on")}</h2>
          <${PassOn} app=${app} review=${review} access=${access} />
          ${app.known.value &&
          html`<div class="row"><${Button} small onPress=${() => setReporting(true)}>${tr("Report a player ...")}<//></div>`}
          ${reporting &&
          html`<${ReportDialog} app=${app} players=${game.players.filter((name) => name !== app.me.value)} game=${game.id} onClose=${() => setReporting(false)} />`}
          <${Exports} app=${app} review=${review} access=${access} />
        </section>`}
      </div>
    </div>
  `;
}

/** @param {{review: Review, seat: number, linked: boolean}} props */
function Seat({ review, seat, linked }) {
  const player = review.player(seat);
  const face = player.clock === null ? null : clockFace(player.clock);
  return html`<div class=${player.toMove ? `seat-line seat${seat} to-move` : `seat-line seat${seat}`}>
    <span class="seat-mark" aria-hidden="true">${player.mark}</span>
    <span class="seat-name">${linked ? html`<${Name} name=${player.name} />` : player.name}</span>
    ${player.engine && html`<span class="muted small seat-engine">${player.engine}</span>`}
    ${player.toMove && html`<span class="small to-move-mark">${tr("to move")}</span>`}
    <span class="grow"></span>
    ${face !== null &&
    html`<span translate=${false} class=${face.low ? "numbers seat-clock low" : "numbers seat-clock"}
      ><span class="visually-hidden">${tr("clock")} </span>${face.text}</span>`}
    ${review.geometry.unit &&
    html`<span class="numbers seat-score" translate=${false}><span class="visually-hidden">${tr("score")} </span>${player.score}</span>`}
  </div>`;
}

/** @param {{app: App, review: Review, access: Access}} props */
function PassOn({ app, review, access }) {
  const [first, second] = review.game.players;
  const url = linkTo(review, access.code);
  const title = tr("{first} against {second}", { first, second });
  return html`<${Share} app=${app} url=${url} title=${title} label=${tr("Link to this position")} qr="hidden">
    <${FileButtons} app=${app} review=${review} access=${access} url=${url} title=${title} />
  <//>`;
}
