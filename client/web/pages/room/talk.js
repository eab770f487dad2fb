// What people say to each other in a room: players among themselves, and spectators among themselves.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { html } from "../../html.js";
import { keyOf } from "../../models/room/talk.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { later } from "../../widgets/later.js";
import { useWork } from "../../widgets/work.js";
import { usePeople } from "../common/use-people.js";

const PersonDialog = later(async () => (await import("../common/people.js")).PersonDialog);

/** @typedef {import("./controller.js").RoomController} RoomController */
/** @import { Said } from "../../core/messages.js" */

/** How long what one says may be; see `say` in the protocol. */
const MOST_WORDS = 200;

/** @param {{room: RoomController}} props */
export function Talk({ room }) {
  room.version.value;
  const { app, may } = room;
  const here = app.session.welcome?.talk === true && may.talkHere;
  const people = usePeople(app, here);
  const [chosen, setChosen] = useState(/** @type {Said | null} */ (null));
  const [words, setWords] = useState("");
  const { busy, problem, run, clear } = useWork();
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const connected = app.connected.value;
  const { watching } = room.model.seats;
  useEffect(() => {
    if (here && connected) void room.loadTalk();
  }, [room, here, connected, watching]);
  const me = app.me.value;
  const lines = room.talk.lines.filter(
    ({ player, seat }) => (seat === null) === watching && (player === me || !(room.muted || people.hides(player))),
  );
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [lines.length]);
  if (!here) return null;
  const say = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!words.trim()) return;
    void run(async () => {
      await app.request({ type: "say", room: room.id, words });
      setWords("");
    });
  };
  return html`<section class="room-talk" aria-label=${tr("Talk")}>
    <div class="talk-lines" role="log" tabindex="0" aria-label=${tr("What was said")} ref=${list}>
      ${lines.map(
        (line) => html`<p key=${keyOf(line)}>
          ${line.player === me
            ? html`<strong translate=${false}>${line.player}</strong>`
            : html`<button type="button" class="talk-name" translate=${false} aria-haspopup="dialog" onClick=${() => setChosen(line)}>${line.player}</button>`}${" "}
          <span>${line.words}</span>
        </p>`,
      )}
    </div>
    <form class="talk-form" onSubmit=${say}>
      <${Field} label=${watching ? tr("Say something to the other spectators") : tr("Say something to your opponent")}
        hideLabel placeholder=${watching ? tr("To the other spectators") : tr("To your opponent")} name="talk" value=${words}
        maxlength=${MOST_WORDS} enterkeyhint="send" problem=${problem}
        onInput=${(/** @type {string} */ text) => (setWords(text), problem && clear())} />
      <${Button} type="submit" busy=${busy}>${tr("Say")}<//>
    </form>
    ${chosen &&
    html`<${PersonDialog} app=${app} name=${chosen.player} game=${`${room.id}-${chosen.match}`} onClose=${() => setChosen(null)} />`}
  </section>`;
}
