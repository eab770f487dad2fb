// The buttons of a spectator: pause, from the start, the speed, and what to do next.

import { useEffect } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Pace } from "../../widgets/pace.js";
import { later } from "../../widgets/later.js";
import { NextActions } from "./next-actions.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

const Commentary = later(async () => (await import("./evaluation.js")).Commentary);

/** How often the page looks whether the next move is due, in milliseconds. */
const TICK_MS = 50;

/** @param {{room: RoomController}} props */
export function WatchActions({ room }) {
  room.version.value;
  const { playback, viewing, showsEnd } = room.model;
  const runs = viewing !== null && !playback.still;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => room.tick(), TICK_MS);
    return () => clearInterval(timer);
  }, [room, runs]);
  return html`
    ${room.model.mirror.settings.evaluation ? html`<${Commentary} room=${room} />` : null}
    <div class="room-actions watching" role="group" aria-label=${tr("Watching")}>
      <${Button} onPress=${() => room.watch((shown, now) => shown.playOrPause(now))}>
        ${playback.still ? tr("playback|Play") : tr("Pause")}
      <//>
      <${Button} onPress=${() => room.watch((shown, now) => shown.restart(now))}>${tr("From the start")}<//>
      <${Pace}
        usual=${tr("As they come")}
        pace=${playback.pace}
        onPace=${(/** @type {number | null} */ pace) => room.watch((shown) => shown.choose(pace))}
      />
      ${showsEnd ? null : html`<${Button} onPress=${() => room.leave()}>${tr("Stop watching")}<//>`}
    </div>
    ${showsEnd ? html`<${NextActions} room=${room} />` : null}
  `;
}
