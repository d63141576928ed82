/** An HTML file that holds everything: data, script and style, and a policy that lets nothing else in. */

import { style } from "./page-style.js";

/** The script of a page, and the policy that lets it and the style in. */
interface PageFiles {
  policy: string;
  script: string;
  /** A style besides that of all pages. */
  more?: string;
}

/** Where the data begins; it goes on to the next `<`. */
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
<meta name="generator" content="openevals-wasm">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
<style>${style}</style>${more === undefined ? "" : `\n<style>${more}</style>`}
</head>
<body>
<noscript>This page is drawn by a script that it brings along; allow scripts to read it.</noscript>
${DATA}${escapeJson(json)}</script>
<script>${script}</script>
</body>
</html>
`;

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Without `<` the text can neither end the element nor begin another; JSON reads the escapes as what they stand for. */
const escapeJson = (json: string): string => json.replaceAll("<", "\\u003c");

/** The data that a document was made with; nothing if it is none of these. */
export function dataIn(html: string): unknown {
  const start = html.indexOf(DATA);
  if (start < 0) return undefined;
  const json = html.slice(start + DATA.length, html.indexOf("<", start + DATA.length));
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
