// The review of a game: board, players, what is said of the move shown, moves, curve, and facts and exports below.

import { useReducer, useRef, useState } from "preact/hooks";

import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { analysisPath } from "../../models/analysis/address.js";
import { factsOf, outcomeOf } from "../../models/game-words.js";
import { startOf } from "../../models/review/from-here.js";
import { dateText } from "../../models/time.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";
import { clockFace } from "../../models/clock-face.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { Share } from "../../widgets/share.js";
import { Name } from "../common/parts.js";
import { Overlays, StepBar, Study, StudyHead } from "../common/study.js";
import { Analysed, AskAnalysis, Automatic, useAnalysis } from "./analysis.js";
import { Comment, Mistakes } from "./comment.js";
import { ScoreCurve } from "./curve.js";
import { Exports } from "./exports.js";
import { MoveList } from "./moves.js";
import { FileButtons } from "../common/pass-on.js";
import { linkTo, stepsOf, useActions, useAddress, useAutomaticPlay, useFacts, useKeys } from "./stepping.js";
import { ValuesLine, layerOf, offersValues, useValues } from "./values.js";

const GameNote = later(async () => (await import("../common/note.js")).GameNote);
const ReportDialog = later(async () => (await import("../common/people.js")).ReportDialog);
const FromHereDialog = later(async () => (await import("../common/from-here.js")).FromHereDialog);

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("../../app/app.js").App} App */
/** @typedef {{code: string, token: string | null}} Access */

/**
 * @param {{app: App, review: Review, access: Access | null, ply: number | null,
 *   back: [path: string, title: string]}} props `access`: null for a game that the server
 *   does not have, which therefore has no address and no exports
 */
export function ReviewView({ app, review, access, ply, back }) {
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
  const [valued, setValued] = useState(false);
  const [start, setStart] = useState(/** @type {ReturnType<typeof startOf>} */ (null));
  const asked = useAnalysis(app, review, access, () => redraw(0));
  const valuesOf = useValues(review, () => redraw(0));
  useAddress(review, access === null ? null : access.code);
  const { game, geometry, variation, report } = review;
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
  const result = [geometry.unit ? `${outcome.headline} ${outcome.score}` : outcome.headline, outcome.why];
  return html`<${Study}
    geometry=${geometry}
    aside=${variation !== null}
    head=${html`<${StudyHead}
      back=${back}
      title=${html`${game.players[0]} <span class="muted">${tr("against")}</span> ${game.players[1]}`}
      about=${result.filter(Boolean).join(" · ")}
    />`}
    players=${html`<div class="study-players">
      <${Seat} review=${review} seat=${0} linked=${access !== null} />
      <${Seat} review=${review} seat=${1} linked=${access !== null} />
    </div>`}
    board=${html`<${Board}
      geometry=${geometry}
      position=${review.position}
      seats=${review.initials.map((initial, seat) => ({ name: game.players[seat], initial }))}
      seat=${null}
      mode="watch"
      features=${overlay && review.offers.features ? (fact("features")?.features ?? null) : null}
      heat=${heat ? fact("policy") : undefined}
      layer=${layerOf(review, values)}
      rim=${app.settings.rim.value}
      label=${`${knownTitle(geometry.title)}. ${review.line}.${geometry.unit && ` ${review.lead}`}`}
      say=${app.say}
    />`}
    words=${html`<p class=${report && !variation ? "study-line told" : "study-line"} aria-live="polite">
        <span key=${review.line}>${review.line}</span>${variation && html`${" "}<span class="small">${tr("(not from the game)")}</span>${" "}<${Button} small onPress=${act.leave}>${tr("Back to the game")}<//>`}
      </p>
      ${shown && html`<${ValuesLine} review=${review} answer=${values} />`}
      ${report === null
        ? html`<${AskAnalysis} app=${app} review=${review} asked=${asked} now=${`${asked?.state.status} ${asked?.state.line}`} />`
        : html`<${Comment} review=${review} act=${act} />`}`}
    moves=${html`<${MoveList} review=${review} onPly=${act.go} />`}
    options=${html`<${Overlays} app=${app} ...${review.offers} />
      ${offered && html`<${Button} small pressed=${valued} onPress=${() => setValued(!valued)}>${tr("Values")}<//>`}
      <${LinkButton} small href=${variation ? analysisPath(game, review.moves) : analysisPath(game, game.moves, review.ply)}>${tr("Analyse from here")}<//>
      <${Button} small disabled=${over} onPress=${() => setStart(startOf(review, app.me.value))}>${tr("Play from here")}<//>
      ${start !== null && html`<${FromHereDialog} app=${app} start=${start} onClose=${() => setStart(null)} />`}`}
    plot=${geometry.unit || report
      ? html`${report && html`<${Analysed} review=${review} />`}${geometry.unit && html`<${ScoreCurve} review=${review} onPly=${act.go} />`}`
      : null}
    steps=${html`<${StepBar} steps=${stepsOf(review, act)}><${Mistakes} review=${review} act=${act} /><//>`}
  >
    <${More} app=${app} review=${review} access=${access} />
  <//>`;
}

/** What is rarely needed. @param {{app: App, review: Review, access: Access | null}} props */
function More({ app, review, access }) {
  const { game } = review;
  const [reporting, setReporting] = useState(false);
  const when = Number.isFinite(game.finished_ms) ? dateText(game.finished_ms) : "";
  return html`<section>
      <h2>${tr("Facts")}</h2>
      <dl class="facts">
        ${factsOf(review, { when }).map(
          ([label, text]) => html`<div key=${label}>
            <dt>${label}</dt>
            <dd>${text}</dd>
          </div>`,
        )}
      </dl>
      ${access !== null && html`<${Automatic} app=${app} />`}
    </section>
    ${access !== null &&
    html`<section class="stack">
      <h2>${tr("Pass it on")}</h2>
      <${PassOn} app=${app} review=${review} access=${access} />
      <${Exports} app=${app} review=${review} access=${access} />
    </section>`}
    ${access !== null && app.known.value &&
    html`<section class="stack">
      ${game.players.includes(app.me.value) && html`<${GameNote} app=${app} game=${game.id} />`}
      <div class="row"><${Button} small onPress=${() => setReporting(true)}>${tr("Report a player ...")}<//></div>
      ${reporting &&
      html`<${ReportDialog} app=${app} players=${game.players.filter((name) => name !== app.me.value)} game=${game.id} onClose=${() => setReporting(false)} />`}
    </section>`}`;
}

/** @param {{review: Review, seat: number, linked: boolean}} props */
function Seat({ review, seat, linked }) {
  const player = review.player(seat);
  const face = player.clock === null ? null : clockFace(player.clock);
  return html`<div class=${player.toMove ? `seat-line seat${seat} to-move` : `seat-line seat${seat}`}>
    <span class="seat-mark" aria-hidden="true">${player.mark}</span>
    <span class="seat-name">${linked ? html`<${Name} name=${player.name} />` : player.name}</span>
    ${player.engine && html`<span class="muted small seat-engine">${player.engine}</span>`}
    ${player.toMove && html`<span class="to-move-mark"><span class="visually-hidden">${tr("to move")}</span></span>`}
    <span class="grow"></span>
    ${face !== null &&
    html`<span translate=${false} class=${face.low ? "numbers error" : "numbers"}
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
    <${FileButtons} app=${app} game=${review.game} ply=${review.ply} access=${access} url=${url} title=${title} />
  <//>`;
}
