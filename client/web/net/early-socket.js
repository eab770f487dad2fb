// The socket that `app/early.js` has opened before the modules were there.

const OPEN = 1;

/**
 * Return a class of websockets like that of `window`. Its first one to the same address is the early socket, if that has not
 * been closed meanwhile.
 * @param {{WebSocket: typeof WebSocket, earlySocket?: WebSocket}} window
 */
export function withEarlySocket(window) {
  return new Proxy(window.WebSocket, {
    construct(made, [url, protocols]) {
      const early = window.earlySocket;
      delete window.earlySocket;
      if (early && early.url === url && early.readyState <= OPEN) return early;
      early?.close();
      return new made(url, protocols);
    },
  });
}
