// The whole screen for the page, where the browser can: only a press of a key or a button may ask for it.

export function fillScreen() {
  document.documentElement.requestFullscreen?.().catch(() => {});
}

export function leaveFullScreen() {
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {});
}
