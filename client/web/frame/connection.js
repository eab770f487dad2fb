// Describe a lost or ended connection, for the strip.

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
    const title = link.ending === "replaced" ? "Use it here" : "Try again";
    const action =
      link.ending === "outdated"
        ? { title: "Reload", run: () => location.reload() }
        : { title, run: () => link.takeOver() };
    return { key: "ended", text: link.sentence, kind: "bad", actions: [action] };
  }
  // A link that reconnects keeps the sentence about the loss, so that the message stays.
  const reconnects = link.state === "connecting" && link.sentence !== "";
  if (link.state !== "lost" && !reconnects) return null;
  const left = link.nextTryAt === null ? 0 : Math.ceil(link.nextTryAt - now);
  const when = left <= 0 ? "now ..." : `in ${left} s.`;
  const kept = link.session.welcome === null ? "" : " Your games are kept.";
  return {
    key: "lost",
    text: `${link.sentence}${kept} Trying again ${when}`,
    spoken: `${link.sentence}${kept}`,
    kind: "bad",
    actions: [{ title: "Try now", run: () => link.retryNow() }],
  };
}
