// Play short generated sounds, without files.

/** @typedef {"draw" | "capture" | "turn" | "won" | "lost" | "low"} Cue */

/**
 * The notes of each sound: start and length in seconds, pitch in hertz, loudness from 0 to 1. They
 * are those of the window.
 * @type {Record<Cue, readonly (readonly [number, number, number, number])[]>}
 */
const NOTES = {
  draw: [[0, 0.07, 587.33, 0.22]],
  capture: [
    [0, 0.1, 659.26, 0.22],
    [0.06, 0.14, 880, 0.22],
  ],
  turn: [[0, 0.2, 783.99, 0.2]],
  won: [
    [0, 0.2, 523.25, 0.2],
    [0.11, 0.2, 659.26, 0.2],
    [0.22, 0.35, 783.99, 0.22],
  ],
  lost: [
    [0, 0.2, 392, 0.2],
    [0.13, 0.2, 329.63, 0.2],
    [0.26, 0.35, 261.63, 0.22],
  ],
  low: [
    [0, 0.08, 987.77, 0.18],
    [0.13, 0.08, 987.77, 0.18],
  ],
};
const ATTACK_S = 0.005;
const GESTURES = ["pointerdown", "keydown"];

export class Sounds {
  /** @type {AudioContext | null} */
  #audio = null;
  #on;
  #make;

  /**
   * @param {() => boolean} on - whether the person wants sounds
   * @param {() => AudioContext} make - may throw where the browser has no audio
   */
  constructor(on, make) {
    this.#on = on;
    this.#make = make;
  }

  /**
   * Wait for the first gesture; browsers allow no sound before it.
   * @param {EventTarget} target
   */
  listen(target) {
    const start = () => {
      for (const gesture of GESTURES) target.removeEventListener(gesture, start, true);
      try {
        this.#audio = this.#make();
      } catch {
        this.#audio = null; // a page without sound is still a page
      }
    };
    for (const gesture of GESTURES) target.addEventListener(gesture, start, true);
  }

  /**
   * Start playing a sound, and return at once.
   * @param {Cue} cue
   */
  play(cue) {
    const audio = this.#audio;
    if (audio === null || !this.#on()) return;
    if (audio.state === "suspended") void audio.resume();
    for (const [start, length, pitch, loudness] of NOTES[cue]) {
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      const from = audio.currentTime + start;
      tone.type = "triangle";
      tone.frequency.value = pitch;
      gain.gain.setValueAtTime(0, from);
      gain.gain.linearRampToValueAtTime(loudness, from + ATTACK_S);
      gain.gain.exponentialRampToValueAtTime(0.001, from + length);
      tone.connect(gain).connect(audio.destination);
      tone.start(from);
      tone.stop(from + length);
    }
  }
}
