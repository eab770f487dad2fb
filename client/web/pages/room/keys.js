// Keys that work wherever the focus is in a room, except in text fields.

import { typing } from "../../app/shortcuts.js";
import { tr } from "../../texts.js";
import { shownKeys } from "../common/overlays.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** How long Enter is ignored after the end of a match, in seconds: it was meant for a move. */
const AWARE_S = 0.7;

const STEPS = [
  { keys: ",/Page Up", what: tr("Back one move") },
  { keys: "./Page Down", what: tr("Forward one move") },
  { keys: "Home/End", what: tr("First and latest position") },
  { keys: "Escape", what: tr("Return to the latest position") },
];
const WATCHING = { keys: "Space", what: tr("Watching: pause or go on") };
const HINT = { keys: "H", what: tr("Hint") };
const TAKEBACK = { keys: "U", what: tr("Take back a move") };
const ALWAYS = [
  { keys: "M", what: tr("Type a move or command") },
  { keys: "Enter", what: tr("After a match: main button") },
];

/**
 * Return the keys of a room and what they do, for the list of shortcuts. A key that only waits for the turn
 * is listed; one that this match never allows is not.
 *
 * @param {RoomController} room
 */
export function roomKeys({ model, may }) {
  return [
    ...STEPS,
    ...(model.seats.watching ? [WATCHING] : []),
    ...(may.hintsGiven ? [HINT] : []),
    ...(may.takebacksHere ? [TAKEBACK] : []),
    ...shownKeys({ features: may.overlay, policy: may.heat }),
    ...ALWAYS,
  ];
}

/**
 * Handle a key; return whether it did something.
 *
 * @param {RoomController} room
 * @param {KeyboardEvent} event
 * @param {HTMLElement} page the element of the room
 */
export function roomKey(room, event, page) {
  const target = event.target instanceof HTMLElement ? event.target : null;
  const plain = !(event.ctrlKey || event.metaKey || event.altKey);
  if (event.defaultPrevented || !plain || typing(event)) return false;
  if (document.querySelector("dialog[open]") !== null) return false;
  const inside = target !== null && page.contains(target);
  // Speech input and stray fingers type single characters, so these need the focus in the room.
  if (event.key.length === 1 && !inside) return false;
  const { model, app } = room;
  switch (event.key) {
    case ",":
    case "PageUp":
      room.step(-1);
      return true;
    case ".":
    case "PageDown":
      room.step(1);
      return true;
    case "Home":
      room.lookAt(0);
      return true;
    case "End":
      room.lookAt(null);
      return true;
    case "Escape":
      if (room.asking) room.ask(false);
      else if (model.viewing !== null) room.lookAt(null);
      else if (room.premove.action !== null) room.dropPremove();
      else return false;
      return true;
    case " ":
      // The space bar presses the focused button.
      if (!model.seats.watching || target?.closest("a, button, summary, input, select")) return false;
      room.watch((playback, now) => playback.playOrPause(now));
      return true;
    case "h":
      if (!room.may.hint) return false;
      room.requests.hint();
      return true;
    case "u":
      if (!room.may.takeback) return false;
      room.requests.takeBack();
      return true;
    case "c":
      if (!room.may.overlay) return false;
      app.settings.overlay.value = !app.settings.overlay.value;
      return true;
    case "n":
      if (!room.may.heat) return false;
      app.settings.heat.value = !app.settings.heat.value;
      return true;
    case "m":
      focusField(page);
      return true;
    case "Enter":
      return pressMain(room, target, page);
    default:
      return false;
  }
}

/**
 * Press the highlighted button after a match, unless Enter belongs to another control.
 *
 * @param {RoomController} room
 * @param {HTMLElement | null} target
 * @param {HTMLElement} page
 */
function pressMain(room, target, page) {
  const own = target?.closest("a, button, summary") != null;
  if (own || room.model.mirror.status === "playing") return false;
  if (room.app.now() < room.stageAt + AWARE_S) return false;
  const main = page.querySelector("[data-main]");
  if (!(main instanceof HTMLElement)) return false;
  main.click();
  return true;
}

/** @param {HTMLElement} page */
function focusField(page) {
  const field = page.querySelector(".room-commands input");
  if (field instanceof HTMLElement) field.focus();
}
