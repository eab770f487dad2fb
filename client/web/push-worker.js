// Show the pushes of the server, which come while no page is open, and open the room of one that is clicked.
//
// The server has it at an address that stays the same, /push-worker.js, because browsers keep it for long. A worker
// knows no language, so the page writes the sentence and the icon behind the address.

const params = new URL(location.href).searchParams;
const worker = /** @type {any} */ (globalThis);

addEventListener("push", (/** @type {any} */ event) => {
  const { room, opponent } = event.data.json();
  const body = (params.get("text") ?? "").replace("{name}", () => opponent);
  const icon = params.get("icon") ?? undefined;
  event.waitUntil(worker.registration.showNotification("Doublecross", { body, icon, tag: room, data: room }));
});

addEventListener("notificationclick", (/** @type {any} */ event) => {
  const { notification } = event;
  notification.close();
  const address = new URL(`room/${encodeURIComponent(notification.data)}`, location.href);
  const open = async () => {
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((/** @type {any} */ page) => new URL(page.url).pathname === address.pathname);
    await (there ? there.focus() : worker.clients.openWindow(address.href));
  };
  event.waitUntil(open());
});
