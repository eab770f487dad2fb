// Keep the shown move of a list of moves in view, and the focus on it while the focus is in the list.
//
// The list is one stop of the Tab key: only its shown move can be reached with it (`tabindex`), and
// the keys that step through the moves take the focus along.

import { useEffect } from "preact/hooks";

/**
 * @param {{current: HTMLElement | null}} list whose shown move has `aria-current`
 * @param {unknown[]} shown what names the shown move and the number of moves
 */
export function useShownMove(list, shown) {
  useEffect(() => {
    const box = list.current;
    if (box === null) return;
    const move = shownIn(box);
    if (move !== null && box.contains(document.activeElement)) move.focus({ preventScroll: true });
    scroll(box);
  }, shown);
  useEffect(() => {
    const box = list.current;
    if (box === null) return undefined;
    // What appears below the list after a match takes its place.
    const observer = new ResizeObserver(() => scroll(box));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
}

/**
 * @param {HTMLElement} box
 * @returns {HTMLElement | null}
 */
function shownIn(box) {
  return box.querySelector('[aria-current="step"]') ?? box.querySelector("button");
}

/**
 * Scroll only the list: scrollIntoView would move the whole page on a phone.
 * @param {HTMLElement} box
 */
function scroll(box) {
  const move = shownIn(box);
  if (move === null) return;
  const [inside, whole] = [move.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inside.top < whole.top) box.scrollTop -= whole.top - inside.top + 8;
  else if (inside.bottom > whole.bottom) box.scrollTop += inside.bottom - whole.bottom + 8;
  // A list in one line keeps the move in its middle.
  if (box.scrollWidth > box.clientWidth) box.scrollLeft += (inside.left + inside.right - whole.left - whole.right) / 2;
}
