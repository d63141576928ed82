/** Formats names and descriptions in two columns. */

/** The longest line, in characters. */
export const WIDTH = 116;
/** Where the second column begins, in characters. */
const COLUMN = 26;

/** A name with its description: beside it, or below if the name is long. */
export function entry(name: string, description: string): string[] {
  const [first = "", ...rest] = wrapped(description, WIDTH - COLUMN).map((line) => " ".repeat(COLUMN) + line);
  const start = `  ${name}`;
  return start.length < COLUMN ? [start + first.slice(start.length), ...rest] : [start, first, ...rest];
}

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
