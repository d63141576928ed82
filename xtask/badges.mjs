/** The README's badges, drawn from `SIZES.md` and the manifests, so that they are true without a network. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { path } from "./run.mjs";

const FILE = path("www/pictures/badges.svg");

/** The badges as pairs of a label and a figure. */
export function badges() {
  const sizes = readFileSync(path("SIZES.md"), "utf8");
  const gzipped = (name) => {
    const [, size] = new RegExp(`^\\| ${name}(?:, [^|]*)? +\\| +[\\d.]+ \\| +([\\d.]+) \\|$`, "m").exec(
      sizes,
    );
    return `${(Math.round(Number(size) * 10) / 10).toFixed(1)} KB`;
  };
  const { dependencies = {}, engines } = JSON.parse(readFileSync(path("pkg-template/package.json"), "utf8"));
  return [
    ["dependencies", String(Object.keys(dependencies).length)],
    ["contains", gzipped("contains")],
    ["exactMatch", `${gzipped("exactMatch")} + ${gzipped("openevals\\.wasm")} wasm`],
    ["node", engines.node.replace(">=", "≥ ")],
  ];
}

/** Draws the badges, unless they are drawn already. */
export function writeBadges() {
  const svg = picture(badges());
  if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== svg) writeFileSync(FILE, svg);
}

/** The width of a character, and the space around a text, in pixels. */
const [CHARACTER, SPACE] = [6.6, 8];

function picture(pairs) {
  let x = 0;
  const drawn = pairs.flatMap(([label, figure]) => {
    const widths = [label, figure].map((text) => Math.round(text.length * CHARACTER) + 2 * SPACE);
    const [start, middle] = [x, x + widths[0]];
    x = middle + widths[1] + SPACE;
    return [
      `<rect x="${start}" width="${widths[0] + widths[1]}" height="22" rx="5" fill="#5b4bd6"/>`,
      `<path d="M${start + 5} 0h${widths[0] - 5}v22h${5 - widths[0]}a5 5 0 0 1-5-5v-12a5 5 0 0 1 5-5z" fill="#33333d"/>`,
      ...[label, figure].map((text, i) => {
        const length = `textLength="${Math.round(text.length * CHARACTER)}" lengthAdjust="spacingAndGlyphs"`;
        return `<text x="${(i ? middle : start) + SPACE}" y="15" ${length}>${text}</text>`;
      }),
    ];
  });
  const size = `width="${x - SPACE}" height="22"`;
  const font = 'font-family="Inter, Segoe UI, Verdana, sans-serif" font-size="12" fill="#fff"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>\n${drawn.join("\n")}\n</svg>\n`;
}
