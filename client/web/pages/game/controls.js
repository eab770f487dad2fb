// The buttons and the slider that step through a finished game.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Pace } from "../../widgets/pace.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("./stepping.js").Act} Act */

/** @param {{review: Review, act: Act}} props */
export function StepControls({ review, act }) {
  const { ply, total, playing, atStart, atEnd } = review;
  return html`<div class="review-steps">
    <div class="step-buttons" role="group" aria-label=${tr("Step through the game")}>
      <${Step} name=${tr("To the start")} keys="Home" path="M18 5L9 12l9 7zM6 5v14" off=${atStart} press=${() => act.toEnd(-1)} />
      <${Step} name=${tr("Back one turn")} keys="Up" path="M19 5l-7 7 7 7zM11 5l-7 7 7 7z" off=${atStart} press=${() => act.stepTurn(-1)} />
      <${Step} name=${tr("Back one move")} keys="Left" path="M16 5l-9 7 9 7z" off=${atStart} press=${() => act.step(-1)} />
      <${Step}
        name=${playing ? tr("Pause") : tr("Play automatically")}
        keys="Space"
        path=${playing ? "M8 5v14M16 5v14" : "M8 5l11 7-11 7z"}
        off=${!total}
        press=${act.playOrStop}
        main
      />
      <${Step} name=${tr("Forward one move")} keys="Right" path="M8 5l9 7-9 7z" off=${atEnd} press=${() => act.step(1)} />
      <${Step} name=${tr("Forward one turn")} keys="Down" path="M5 5l7 7-7 7zM13 5l7 7-7 7z" off=${atEnd} press=${() => act.stepTurn(1)} />
      <${Step} name=${tr("To the end")} keys="End" path="M6 5l9 7-9 7zM18 5v14" off=${atEnd} press=${() => act.toEnd(1)} />
    </div>
    <div class="step-slider">
      <input
        type="range"
        min="0"
        max=${total}
        step="1"
        value=${ply}
        disabled=${!total}
        aria-label=${tr("Move")}
        aria-valuetext=${review.line}
        onInput=${(/** @type {Event} */ event) =>
          act.go(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value))}
      />
      <span class="numbers muted small step-count" translate=${false}>${ply} / ${total}</span>
      <${Pace} usual=${tr("By turns")} pace=${review.pace} onPace=${act.pace} />
    </div>
  </div>`;
}

/**
 * A button stays focusable while it is off, so that the focus does not jump away at the end.
 *
 * @param {{name: string, keys: string, path: string, off: boolean, press: () => void, main?: boolean}} props
 */
function Step({ name, keys, path, off, press, main = false }) {
  return html`<button
    type="button"
    class=${main ? "step play" : "step"}
    aria-label=${name}
    title=${`${name} (${keys})`}
    aria-disabled=${off ? "true" : undefined}
    onClick=${() => {
      if (!off) press();
    }}
  >
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
      <path d=${path} />
    </svg>
  </button>`;
}
