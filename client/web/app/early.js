// Apply the chosen theme and palette before the first paint; a classic script in the document's head.

(() => {
  try {
    const root = document.documentElement;
    const prefix = "doublecross.settings.";
    const theme = JSON.parse(localStorage.getItem(`${prefix}theme`) ?? '"auto"');
    const palette = JSON.parse(localStorage.getItem(`${prefix}palette`) ?? '"classic"');
    if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
    if (palette === "safe") root.dataset["palette"] = palette;
  } catch {
    // Without storage the system's theme applies.
  }
})();
