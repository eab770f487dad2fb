// The buttons of a match, and what takes their place after it: what it taught, and what to do next.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Lessons } from "./lessons.js";
import { NextActions } from "./next-actions.js";
import { NextGame } from "./next-game.js";
import { Phrases } from "./phrases.js";
import { Talk } from "./talk.js";
import { WatchActions } from "./watch.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

const PlanDialog = later(async () => (await import("./plan.js")).PlanDialog);

/** @param {{room: RoomController}} props */
export function Panel({ room }) {
  room.version.value;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  // A button that is replaced takes the focus with it.
  const held = box.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (held && box.current?.contains(document.activeElement) === false) {
      box.current.focus({ preventScroll: true });
    }
  });
  const { seats, showsEnd } = room.model;
  let buttons = html`<${Actions} room=${room} />`;
  if (seats.watching) buttons = html`<${WatchActions} room=${room} />`;
  else if (showsEnd) buttons = html`<${Lessons} room=${room} /><${NextActions} room=${room} />`;
  return html`<div class="room-panel" tabindex="-1" ref=${box}>
    ${buttons}
    <${Phrases} room=${room} />
    <${Talk} room=${room} />
  </div>`;
}

/**
 * Show the buttons of this match; those that are of no use now are disabled. So they keep their
 * places during the whole match, and no click goes astray.
 *
 * @param {{room: RoomController}} props
 */
function Actions({ room }) {
  room.version.value;
  const { may, hint, requests, text } = room;
  const busy = requests.waiting.has("takeback");
  return html`
    <div class="room-actions" role="group" aria-label=${tr("Actions")}>
      <${NextGame} room=${room} />
      ${may.hintsGiven &&
      html`<${Button} icon="hint" disabled=${!may.hint || hint.thinking} onPress=${() => requests.hint()}>
          ${hint.thinking ? tr("Thinking ...") : tr("Hint")}
        <//>`}
      ${may.plansHere && html`<${Planning} room=${room} />`}
      ${may.takebacksHere &&
      html`<${Button} icon="undo" disabled=${busy || !(may.takebackWaits || may.takeback)}
          onPress=${() => requests.takeBack()}>
          ${may.takebackWaits ? tr("Withdraw") : tr("Take back")}
        <//>`}
      ${may.abortsHere &&
      html`<${Button} icon="close" disabled=${!may.abort || requests.waiting.has("abort")}
          onPress=${() => requests.abort()}>${tr("Call off the game")}<//>`}
      <${Button} icon="flag" disabled=${room.asking || requests.waiting.has("resign")} onPress=${() => room.ask(true)}>
        ${text.resignLine}
      <//>
    </div>
  `;
}

/** @param {{room: RoomController}} props */
function Planning({ room }) {
  room.version.value;
  const [planned, setPlanned] = useState("");
  const { match, takebacks, moves, status } = room.model.mirror;
  // The dialog is for this position, and closes with it.
  const place = `${match} ${takebacks} ${moves.length} ${status}`;
  const open = planned === place;
  useEffect(() => {
    if (!planned || open) return;
    room.app.notify(tr("The position has changed; plan your moves again."), { key: "plan" });
    setPlanned("");
  }, [planned, open]);
  return html`<${Button} icon="plan" disabled=${!room.may.plan} aria-haspopup="dialog" onPress=${() => setPlanned(place)}>${tr("Plan ahead")}<//>
    ${open && html`<${PlanDialog} app=${room.app} room=${room} onClose=${() => setPlanned("")} />`}`;
}
