// The line below the board: what to do now, or the steps through earlier positions.
//
// A browser that translates the page replaces the texts in its elements, and a change of such a text shows nowhere.
// So a new sentence comes in a new element, which has it as its key.

import { useEffect, useRef } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { useNow } from "../../widgets/clock.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Status({ room }) {
  room.version.value;
  const { viewing, mirror } = room.model;
  let line = html`<${Sentence} room=${room} />`;
  if (room.asking) line = html`<${Question} room=${room} />`;
  else if (viewing !== null) line = html`<${LookBack} room=${room} />`;
  else if (mirror.status !== "playing") line = html`<${Result} room=${room} />`;
  return html`<div class="room-status">
    ${line}${viewing !== null && !room.asking && room.may.takebackAnswerer && html`<${Sentence} room=${room} />`}
  </div>`;
}

/** @param {{room: RoomController}} props */
function Result({ room }) {
  room.version.value;
  const { model, text } = room;
  const { ending } = model;
  const now = useNow(room.app, 500);
  const { text: line, kind } = room.sentence(now);
  const winner = ending?.winner ?? null;
  const title = ending === null ? tr("The room is closed") : ending.headline;
  return html`
    <section key=${title + line} class="room-result" aria-label=${tr("Result")}>
      <p class="room-result-title">
        <b class=${ending?.won ? "good" : winner === null ? "" : `seat${winner}`}>${title}</b>
        ${ending?.score ? html`<span class="numbers" translate=${false}> ${ending.score}</span>` : null}
      </p>
      <p class=${`room-result-why ${kind}`}>
        ${kind === "wrong" || ending === null
          ? line
          : [text.afterwards.replace(/\.$/, ""), ending.why].filter(Boolean).join(" · ")}
      </p>
    </section>
  `;
}

/** @param {{room: RoomController}} props */
function Sentence({ room }) {
  room.version.value;
  const now = useNow(room.app, 500);
  const { text, kind } = room.sentence(now);
  return html`<div class="room-says">
    <p key=${text} class=${`room-sentence ${kind}`}>${text}</p>
    <${Answers} room=${room} now=${now} />
  </div>`;
}

/**
 * The answers to what the sentence asks or allows.
 *
 * @param {{room: RoomController, now: number}} props
 */
function Answers({ room, now }) {
  room.version.value;
  const { may, requests } = room;
  if (may.takebackAnswerer && !requests.waiting.has("takeback")) {
    return html`<div class="row" role="group" aria-label=${tr("Take back moves?")}>
      <${Button} small kind="primary" onPress=${() => requests.answerTakeback(true)}>${tr("Accept")}<//>
      <${Button} small onPress=${() => requests.answerTakeback(false)}>${tr("Decline")}<//>
    </div>`;
  }
  if (!may.claim(now) || requests.waiting.has("claim")) return null;
  return html`<${Button} small kind="primary" onPress=${() => requests.claim()}>${tr("Claim the win")}<//>`;
}

/** @param {{room: RoomController}} props */
function Question({ room }) {
  room.version.value;
  const safe = useRef(/** @type {HTMLButtonElement | null} */ (null));
  // The harmless answer has the focus, so that Enter does no damage.
  useEffect(() => safe.current?.focus({ preventScroll: true }), []);
  return html`
    <div class="room-says" role="group" aria-label=${tr("Resign this match?")}>
      <p class="room-sentence strong">${room.model.seats.shared ? tr("Sure?") : tr("Resign?")}</p>
      <div class="row">
        <button type="button" class="button small danger" onClick=${() => room.confirm()}>${room.text.resignLine}</button>
        <button type="button" class="button small" ref=${safe} onClick=${() => room.ask(false)}>${tr("Play on")}</button>
      </div>
    </div>
  `;
}

/** @param {{room: RoomController}} props */
function LookBack({ room }) {
  room.version.value;
  const { ply } = room.model;
  const { before, main, after } = room.text.place;
  return html`
    <div class="room-look-back" role="group" aria-label=${tr("Earlier positions")}>
      <button type="button" class="button small" aria-label=${tr("Back one move")}
        aria-disabled=${ply === 0} onClick=${() => room.step(-1)}>‹</button>
      <button type="button" class="button small" aria-label=${tr("Forward one move")}
        onClick=${() => room.step(1)}>›</button>
      <span class="room-look-back-where" key=${before + main}>
        <span class="room-look-back-note">${before}</span>${main}<span class="room-look-back-note">${after}</span>
      </span>
      <button type="button" class="button small" onClick=${() => room.lookAt(null)}>${room.text.toLatest}</button>
    </div>
  `;
}
