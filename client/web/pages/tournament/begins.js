// Count down to the start of a tournament or to the end of an arena, and offer a reminder.

import { useState } from "preact/hooks";

import { reminders, setReminder, SOON_MS } from "../../app/reminders.js";
import { html } from "../../html.js";
import { untilText } from "../../models/time.js";
import { tr } from "../../texts.js";
import { useNow } from "../../widgets/clock.js";
import { Switch } from "../../widgets/field.js";

/** @typedef {{app: import("../../app/app.js").App, tournament: string, name: string, starts: number}} Start */

/**
 * Return how long it is until a start, or else until an end; empty without both.
 *
 * @param {number | null | undefined} starts
 * @param {number | null | undefined} ends
 */
export function countdown(starts, ends) {
  const ms = (starts ?? ends ?? 0) - Date.now();
  const when = untilText(ms);
  if (starts != null) return ms > 0 ? tr("begins {when}", { when }) : tr("about to begin");
  if (ends == null) return "";
  return ms > 0 ? tr("arena|ends {when}", { when }) : tr("the last games end");
}

/** @param {{app: Start["app"], starts: number | null, ends: number | null | undefined}} props */
export function Countdown({ app, starts, ends }) {
  useNow(app, 1000);
  return html`<p class="muted">${countdown(starts, ends)}</p>`;
}

/** @param {Start} props */
export function Remind({ app, tournament, name, starts }) {
  const [on, setOn] = useState(tournament in reminders(app.storage));
  if (starts - Date.now() <= SOON_MS) return null;
  return html`<${Switch}
    label=${tr("Remind me")}
    checked=${on}
    onChange=${(/** @type {boolean} */ wanted) => {
      setReminder(app.storage, tournament, wanted ? { name, starts } : null);
      setOn(wanted);
    }}
  />`;
}
