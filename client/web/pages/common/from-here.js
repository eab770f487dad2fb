// The dialog that plays on from the position of a review, against a bot.

import { useEffect, useRef, useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { botLine, botsOnline } from "../../models/lobby/pair.js";
import { tr } from "../../texts.js";
import { Choice, Select } from "../../widgets/choice.js";
import { Dialog } from "../../widgets/dialog.js";

/** @typedef {import("../../models/review/from-here.js").Start} Start */
/** @typedef {import("../../types/wire.js").PlayerInfo} PlayerInfo */

const KEPT = "review.bot";
const NOBODY = tr("No bot is connected now. The host adds some with --bots, such as --bots easy,perfect.");

/** @param {{app: import("../../app/app.js").App, start: Start, onClose: () => void}} props */
export function FromHereDialog({ app, start, onClose }) {
  const [bots, setBots] = useState(/** @type {PlayerInfo[] | null} */ (null));
  const [name, setName] = useState(/** @type {string | null} */ (null));
  const [seat, setSeat] = useState(start.seat);
  const [offer, setOffer] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let open = true;
    app.request({ type: "follow_lobby" }).then(
      ({ players }) => {
        if (open) setBots(botsOnline(players));
      },
      (error) => {
        if (open) setProblem(sentenceOf(error));
      },
    );
    return () => {
      open = false;
      app.link.request({ type: "follow_lobby", on: false }).catch(() => {}); // nobody waits for this
    };
  }, []);
  /** The challenge that waits, and whether this dialog is gone. */
  const last = useRef({ challenge: "", gone: false });
  app.topics.of("offers").value;
  const waits = offer === "asking" || app.session.offers.has(offer);
  useEffect(() => {
    // The bot has answered: with a room, to which the page goes, or with a refusal in the strip.
    if (offer !== "" && !waits) onClose();
  }, [offer, waits]);
  const kept = app.storage.get(KEPT);
  const called = (/** @type {unknown} */ wanted) => bots?.find((bot) => bot.name === wanted);
  const chosen = called(name ?? start.opponent) ?? called(kept) ?? bots?.[0];
  const play = async () => {
    if (chosen === undefined || waits) return;
    app.storage.set(KEPT, chosen.name);
    setProblem("");
    setOffer("asking");
    const { settings } = start;
    try {
      const answer = await app.request({ type: "challenge", key: app.key(), player: chosen.name, settings, seat });
      if (answer.type === "room_state") app.navigate(roomPath(answer.room, answer.code));
      else if (last.current.gone) cancel(answer.challenge);
      else setOffer((last.current.challenge = answer.challenge));
    } catch (error) {
      setOffer("");
      setProblem(sentenceOf(error));
    }
  };
  const cancel = (/** @type {string} */ challenge) => {
    app.request({ type: "cancel_challenge", challenge }).catch(() => {}); // the bot was quicker
  };
  useEffect(
    () => () => {
      // However it is closed, also by the browser's way back.
      const { challenge } = last.current;
      last.current.gone = true;
      if (app.session.offers.has(challenge)) cancel(challenge);
    },
    [],
  );
  return html`<${Dialog}
    title=${tr("Play from here")}
    onClose=${onClose}
    onSubmit=${play}
    problem=${problem || (bots?.length === 0 ? NOBODY : "")}
    action=${tr("Play")}
    busy=${waits}
    disabled=${chosen === undefined}
  >
    <p>${start.about} ${tr("The match is casual and has no clock.")}</p>
    <${Select}
      label=${tr("Bot")}
      value=${chosen?.name ?? ""}
      options=${(bots ?? []).map((bot) => ({ value: bot.name, title: botLine(bot) }))}
      onChange=${setName}
    />
    <${Choice}
      label=${tr("You play")}
      wrap
      value=${String(seat)}
      options=${start.sides.map((title, side) => ({ value: String(side), title }))}
      onChange=${(/** @type {string} */ value) => setSeat(Number(value))}
    />
  <//>`;
}
