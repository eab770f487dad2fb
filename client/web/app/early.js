// Apply the theme and palette before the first paint, and name the page whose place is held; a classic
// script in the document's head.

(() => {
  const root = document.documentElement;
  root.dataset["page"] = location.pathname.split("/")[1] ?? "";
  root.dataset["theme"] = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  try {
    const prefix = "doublecross.settings.";
    const theme = JSON.parse(localStorage.getItem(`${prefix}theme`) ?? '"auto"');
    const palette = JSON.parse(localStorage.getItem(`${prefix}palette`) ?? '"classic"');
    if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
    if (palette === "safe") root.dataset["palette"] = palette;
  } catch {
    // Without storage the system's theme applies.
  }
})();
