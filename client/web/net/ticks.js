// A worker that keeps the time for timers.js: it sends each `id` back after `ms` milliseconds.

self.onmessage = ({ data: { id, ms } }) => {
  setTimeout(() => self.postMessage(id), ms);
};
