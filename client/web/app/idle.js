// Do what can wait once the browser has nothing else to do.

/**
 * @param {() => void} run
 * @returns {() => void} stops that
 */
export function whenIdle(run) {
  // Safari has no idle callbacks.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, 1000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run);
  return () => cancelIdleCallback(handle);
}
