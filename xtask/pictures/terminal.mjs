/** Draws a terminal as SVG: a command is typed, and its output follows line by line. */

/** The size of a character, of a line and of the border, in pixels. */
const [CHARACTER, LINE, BORDER] = [8, 19, 20];
/** The least number of columns. */
const COLUMNS = 78;
/** Seconds for a typed character, between the command and its output, and between lines. */
const [TYPING, WAITING, PRINTING] = [0.04, 0.4, 0.05];

/** The styles of the program, by their codes; 22 and 39 end them. */
const CODES = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y" };
const STYLE = `
text { font: 13.3px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d8dee9; white-space: pre }
.b { font-weight: 700; fill: #fff } .d { fill: #8b94a5 } .r { fill: #ff7b72 } .g { fill: #56d364 } .y { fill: #e3b341 }
.line { animation: show .01s backwards } @keyframes show { from { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .line { animation: none } }`;

/**
 * @param command The typed command.
 * @param output What it printed, with ANSI styles.
 */
export function terminalPicture(command, output) {
  const lines = output.trimEnd().split("\n").map(piecesOf);
  const widths = lines.map((pieces) => pieces.reduce((sum, { text }) => sum + lengthOf(text), 0));
  const width = Math.max(COLUMNS, command.length + 2, ...widths) * CHARACTER + 2 * BORDER;
  const height = (lines.length + 2) * LINE + 2 * BORDER;
  const typed = Array.from(command, (text, i) => drawn(text, i + 2, 1, "", 0.5 + i * TYPING));
  const start = 0.5 + command.length * TYPING + WAITING;
  const printed = lines.flatMap((pieces, row) => {
    let column = 0;
    return pieces.map(({ text, style }) => {
      const at = column;
      column += lengthOf(text);
      return drawn(text, at, row + 3, style, start + row * PRINTING);
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(command)}</title>
<style>${STYLE}</style>
<rect width="${width}" height="${height}" rx="10" fill="#161b22"/>
${[drawn("$", 0, 1, "g", 0), ...typed, ...printed].filter(Boolean).join("\n")}
</svg>
`;
}

const lengthOf = (text) => Array.from(text).length;

/** A text at a column and a row, as wide as its characters in any font. */
function drawn(text, column, row, style, second) {
  if (!text.trim()) return "";
  const spaces = text.length - text.trimStart().length;
  const shown = text.trim();
  const place = `x="${BORDER + (column + spaces) * CHARACTER}" y="${BORDER + row * LINE - 5}"`;
  const length = `textLength="${lengthOf(shown) * CHARACTER}"`;
  const look = `class="${`line ${style}`.trim()}" style="animation-delay:${second.toFixed(2)}s"`;
  return `<text ${place} ${length} lengthAdjust="spacingAndGlyphs" ${look}>${escaped(shown)}</text>`;
}

/** The pieces of a line, each with its style. */
function piecesOf(line) {
  const open = new Set();
  const [first, ...styled] = line.split("\u001b[");
  const pieces = styled.map((part) => {
    const code = Number.parseInt(part, 10);
    const ended = { 22: ["b", "d"], 39: ["r", "g", "y"] }[code];
    if (ended) for (const style of ended) open.delete(style);
    else open.add(CODES[code]);
    return { text: part.slice(part.indexOf("m") + 1), style: [...open].join(" ") };
  });
  return [{ text: first, style: "" }, ...pieces].filter(({ text }) => text);
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
