// What the scripts of `language/` leave for `texts.js`. English has none.

interface Catalogue {
  language: string;
  texts: Record<string, string | string[]>;
}

declare var doublecrossTexts: Catalogue | undefined;
