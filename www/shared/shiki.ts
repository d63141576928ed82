/** Shiki, with the two languages that the site shows. The grammars are compiled to JavaScript's expressions beforehand. */

import { codeToTokensBase, createCssVariablesTheme, createShikiInternal } from "@shikijs/core";
import { createJavaScriptRawEngine } from "@shikijs/engine-javascript/raw";
import json from "@shikijs/langs-precompiled/json";
import typescript from "@shikijs/langs-precompiled/typescript";

export type Language = "typescript" | "json";

/** A piece of code; `kind` is the name of its colour. */
export interface Piece {
  text: string;
  kind: string | undefined;
}

const theme = createCssVariablesTheme({ name: "site", variablePrefix: "--" });
const shiki = createShikiInternal({
  engine: createJavaScriptRawEngine(),
  themes: [theme],
  langs: [typescript, json],
});

/** The pieces of each line. */
export async function linesOf(code: string, lang: Language): Promise<Piece[][]> {
  const lines = codeToTokensBase(await shiki, code, { lang, theme: "site" });
  return lines.map((tokens) =>
    tokens.map(({ content, color }) => ({ text: content, kind: /--token-([\w-]+)/.exec(color ?? "")?.[1] })),
  );
}
