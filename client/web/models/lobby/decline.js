// The words with which a person declines a challenge; the server sends the same sentences.

import { tr } from "../../texts.js";

/** @type {Readonly<Record<NonNullable<import("../../types/wire").DeclineChallenge["word"]>, string>>} */
export const DECLINE_WORDS = {
  later: tr("Not now, perhaps later."),
  too_fast: tr("The clock is too fast for me."),
  too_slow: tr("The clock is too slow for me."),
  not_rated: tr("Not rated, please."),
  rated: tr("Only rated, please."),
  other_size: tr("Another size of board, please."),
  other_game: tr("Another game, please."),
};
