/** The pictures that other sites show beside links to pages: the title, and what the page is about. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { hashOf, path } from "../run.mjs";

const require = createRequire(path("www/site/package.json"));
const fonts = ["400Regular/Inter_400Regular", "700Bold/Inter_700Bold"];

/** Writes `NAME.png` for each page to a folder, unless the file is there and shows the same text. */
export async function writePreviews(pages, folder) {
  mkdirSync(folder, { recursive: true });
  const drawing = hashOf(path("xtask/site/previews.mjs"));
  for (const { name, title, description } of pages) {
    const [file, stamp] = [`${folder}/${name}.png`, `${folder}/.${name}`];
    const words = JSON.stringify([title, description, drawing]);
    if (existsSync(file) && existsSync(stamp) && readFileSync(stamp, "utf8") === words) continue;
    renderer ??= loadRenderer();
    writeFileSync(file, (await renderer)(pictureOf(title, description)));
    writeFileSync(stamp, words);
  }
}

/** A promise for the renderer, which can be loaded only once. */
let renderer;

/** Loads a renderer, a function from SVG to PNG. */
async function loadRenderer() {
  const { initWasm, Resvg } = require("@resvg/resvg-wasm");
  await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fontBuffers = fonts.map((font) =>
    readFileSync(require.resolve(`@expo-google-fonts/inter/${font}.ttf`)),
  );
  return (svg) => new Resvg(svg, { font: { fontBuffers, defaultFontFamily: "Inter" } }).render().asPng();
}

function pictureOf(title, description) {
  const heading = linesOf(title, 26).slice(0, 2);
  const about = linesOf(description, 62).slice(0, 4);
  const text = (lines, y, size, style) =>
    lines.map(
      (line, i) =>
        `<text x="80" y="${y + i * size * 1.35}" font-size="${size}" ${style}>${escaped(line)}</text>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Inter">
<rect width="1200" height="630" fill="#111116"/>
<rect width="1200" height="12" fill="#5b4bd6"/>
<g transform="translate(80 80) scale(1.75)"><rect width="32" height="32" rx="8" fill="#5b4bd6"/><path d="M9 12h14M9 20h14" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></g>
<text x="156" y="120" font-size="34" fill="#a3a3b5">openevals-wasm</text>
${text(heading, 270, 76, 'font-weight="700" fill="#ececf2"').join("\n")}
${text(about, 270 + heading.length * 96, 32, 'fill="#a3a3b5"').join("\n")}
</svg>`;
}

/** Breaks a text into lines of at most `width` characters. Only a longer word exceeds it. */
function linesOf(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
