/** A self-contained HTML file: data, script and style, and a content security policy that blocks everything else. */

import { parseJson } from "../../core/input/json/parse-json.js";
import { escapeMarkup } from "../escape-markup.js";
import { style } from "./page-style.js";

/** The script of a page, and the policy that allows it and the style by their hashes. */
interface PageFiles {
  policy: string;
  script: string;
  /** Style in addition to that of all pages. */
  more?: string;
}

/** Marks the documents of this package. */
const GENERATOR = '<meta name="generator" content="openevals-wasm">';

/** The beginning of the data, which ends at the next `<`. */
const DATA = '<script type="application/json" id="data">';

export const documentOf = (
  title: string,
  json: string,
  { policy, script, more }: PageFiles,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${GENERATOR}
<link rel="icon" href="data:,">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>${more === undefined ? "" : `\n<style>${more}</style>`}
</head>
<body>
<noscript>This page needs its own JavaScript to show the data. Allow scripts for it.</noscript>
${DATA}${escapeJson(json)}</script>
<script>${script}</script>
</body>
</html>
`;

/** Without `<`, the text can neither end the element nor begin another. */
const escapeJson = (json: string): string => json.replaceAll("<", "\\u003c");

/** Reads the data of a document; `undefined` if the HTML is not one. */
export function dataIn(html: string): unknown {
  const start = html.indexOf(DATA);
  if (start < 0) return undefined;
  return parseJson(html.slice(start + DATA.length, html.indexOf("<", start + DATA.length)));
}

/** Whether the HTML is a document whose end is missing. */
export const isCutOff = (html: string): boolean =>
  html.includes(GENERATOR) && !html.trimEnd().endsWith("</html>");
