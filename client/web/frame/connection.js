// Describe a lost or ended connection, for the strip.

import { toLogin } from "../app/rights.js";
import { tr } from "../texts.js";

/**
 * @typedef {{key: string, text: string, spoken?: string, kind: "info" | "good" | "bad",
 *   actions: import("../app/notices.js").Action[], until?: number}} Shown
 */

/**
 * Return what the strip shows about the connection at `now`, in seconds; null if all is well.
 * @param {import("../app/app.js").App} app
 * @param {number} now
 * @returns {Shown | null}
 */
export function connectionNotice(app, now) {
  const { link } = app;
  if (link.state === "ended") {
    const title = link.ending === "replaced" ? tr("Connect here") : tr("Try again");
    const action =
      link.ending === "outdated"
        ? { title: tr("Reload"), run: () => location.reload() }
        : { title, run: () => link.takeOver() };
    const actions = [action];
    if (link.ending === "revoked") actions.unshift({ title: tr("Log in"), run: () => toLogin(app) });
    return { key: "ended", text: link.sentence, kind: "bad", actions };
  }
  // A link that reconnects keeps the sentence about the loss, so that the message stays.
  const reconnects = link.state === "connecting" && link.sentence !== "";
  if (link.state !== "lost" && !reconnects) return null;
  const left = link.nextTryAt === null ? 0 : Math.ceil(link.nextTryAt - now);
  const when = left <= 0 ? tr("Trying again now ...") : tr("Trying again in {seconds} s.", { seconds: left });
  const kept = link.session.welcome === null ? "" : ` ${tr("Your games are kept.")}`;
  return {
    key: "lost",
    text: `${link.sentence}${kept} ${when}`,
    spoken: `${link.sentence}${kept}`,
    kind: "bad",
    actions: [{ title: tr("Try now"), run: () => link.retryNow() }],
  };
}
