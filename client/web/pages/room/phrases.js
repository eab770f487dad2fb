// What two people can say to each other: a list of phrases to open, and a switch that mutes others.

import { useRef } from "preact/hooks";

import { html } from "../../html.js";
import { PHRASES } from "../../models/room/phrases.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Switch } from "../../widgets/field.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Phrases({ room }) {
  room.version.value;
  const box = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  if (!room.may.phrasesHere) return null;
  const say = (/** @type {import("../../models/room/phrases.js").Phrase} */ phrase) => {
    if (box.current?.open) {
      box.current.open = false;
      box.current.querySelector("summary")?.focus();
    }
    void room.requests.say(phrase);
  };
  return html`<details class="room-phrases" ref=${box}>
    <summary>${tr("Phrases")}</summary>
    ${room.may.speaks &&
      html`<div class="row" role="group" aria-label=${tr("Say")}>
      ${Object.entries(PHRASES).map(
        ([phrase, text]) =>
          html`<${Button} key=${phrase} small onPress=${() => say(/** @type {any} */ (phrase))}>${text}<//>`,
      )}
      </div>`}
    <${Switch} label=${tr("Mute phrases in this room")} checked=${room.muted}
      onChange=${(/** @type {boolean} */ on) => room.mute(on)} />
  </details>`;
}
