/** A line, with its number in the text. */
interface FilledLine {
  line: string;
  number: number;
  /** Whether a line feed follows. A line that its process has not finished has none. */
  isEnded: boolean;
}

/** The lines of a text that are not blank, such as JSON lines. The first line of the text has the number `first`. */
export function* filledLines(text: string, first = 1): Generator<FilledLine> {
  for (let start = 0, number = first; start < text.length; number++) {
    const feed = text.indexOf("\n", start);
    const isEnded = feed >= 0;
    const line = text.slice(start, isEnded ? feed : undefined);
    start += line.length + 1;
    if (line.trim()) yield { line, number, isEnded };
  }
}
