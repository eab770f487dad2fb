// What the script of a language leaves for `texts.js`. English has none.

interface Catalogue {
  language: string;
  texts: Record<string, string>;
}

declare var doublecrossTexts: Catalogue | undefined;
