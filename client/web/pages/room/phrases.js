// What two people can say to each other: a list of phrases to open, and a switch that mutes others.

import { useRef, useState } from "preact/hooks";

import { html } from "../../html.js";
import { PHRASES } from "../../models/room/phrases.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Switch } from "../../widgets/field.js";
import { later } from "../../widgets/later.js";

const ReportDialog = later(async () => (await import("../common/people.js")).ReportDialog);

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Phrases({ room }) {
  room.version.value;
  const box = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  const [reporting, setReporting] = useState(false);
  if (!room.may.phrasesHere) return null;
  const { mirror } = room.model;
  const people = mirror.players.flatMap((each) => (each && each.name !== room.app.me.value ? [each.name] : []));
  const game = `${room.id}-${mirror.match}`;
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
    ${people.length > 0 && html`<${Button} small onPress=${() => setReporting(true)}>${tr("Report a player ...")}<//>`}
    ${reporting && html`<${ReportDialog} app=${room.app} players=${people} game=${game} onClose=${() => setReporting(false)} />`}
    <${Switch} label=${tr("Mute phrases in this room")} checked=${room.muted}
      onChange=${(/** @type {boolean} */ on) => room.mute(on)} />
  </details>`;
}
