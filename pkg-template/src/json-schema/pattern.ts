/**
 * Regular expressions of JavaScript that are matched in linear time: what a model answers may make the engines of
 * runtimes, which go back and try again, take years. All ways through a pattern are followed at once (Thompson's
 * construction); only single characters are left to `RegExp`, with all its classes.
 */

/** One step: reads a character, or looks at where it is, and goes on. */
interface Step {
  /** Whether it reads this character; without it, it reads none. */
  reads?: (character: string) => boolean;
  /** Whether it may go on here. */
  holds?: (text: Text, at: number) => boolean;
  /** Where it goes on. */
  to: number[];
}

interface Text {
  characters: string[];
  /** How many steps may still be made. */
  left: number;
}

/** Makes a match about a second long. */
const MOST_STEPS = 10_000_000;

/** What repetitions come to when they are written out. */
const MOST_OF_A_PATTERN = 20_000;

/** What says whether a text has a match of the pattern in it; throws for what is no pattern, or cannot be matched so. */
export function matcher(pattern: string): (text: string) => boolean {
  const steps = new Compiler(withCodePoints(pattern)).steps();
  return (text) => {
    const read = { characters: Array.from(text), left: MOST_STEPS };
    return leadsThrough(steps, read, 0, true);
  };
}

/**
 * A pattern as it is written with the flag `u`, which makes characters of code points. Without it, more is allowed; of
 * that, what can mean only one thing is taken: `\@` and `\-`, braces that count nothing, and `-` beside a class in a class.
 */
function withCodePoints(pattern: string): string {
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch (error) {
    const strict = pattern.replace(
      /\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|[{}\]]/gsu,
      (part) => {
        if (/^[{}\]]$/.test(part)) return `\\${part}`;
        return part.startsWith("[") ? strictClass(part) : unescaped(part);
      },
    );
    try {
      new RegExp(strict, "u");
    } catch {
      throw error;
    }
    return strict;
  }
}

const strictClass = (source: string): string =>
  source.replace(/(-?)(\\(?:[pPu]\{[^}]*\}|.))(-(?!\]))?/gsu, (_, before, part, behind = "") => {
    const dash = /^\\[dswp]/i.test(part) ? "\\-" : "-";
    return (before && dash) + (part === "\\-" ? part : unescaped(part)) + (behind && dash);
  });

/** What an escape stands for that only patterns without the flag have; letters may be meant to be something else. */
const unescaped = (source: string): string => source.replace(/^\\(_|[^\w^$\\.*+?()[\]{}|/])$/su, "$1");

/** Whether there is a way through from here, or with `isSearch` from anywhere behind. */
function leadsThrough(steps: Step[], text: Text, start: number, isSearch: boolean): boolean {
  const { characters } = text;
  const visited = new Int32Array(steps.length).fill(-1);
  let reached: number[] = [0];
  for (let at = start; ; at++) {
    const next: number[] = [];
    const character = characters[at];
    for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
      if (visited[index] === at) continue;
      visited[index] = at;
      if (--text.left < 0) throw new Error("it takes too many steps");
      const { reads, holds, to } = steps[index] as Step;
      if (to.length === 0) return true;
      if (reads) {
        if (character !== undefined && reads(character)) next.push(...to);
      } else if (!holds || holds(text, at)) {
        reached.push(...to);
      }
    }
    if (character === undefined) return false;
    if (isSearch) next.push(0);
    else if (next.length === 0) return false;
    reached = next;
  }
}

/** Reads a pattern that is known to be one, and writes its steps; a part of it is a function that writes them. */
class Compiler {
  #at = 0;
  #steps: Step[] = [];

  constructor(readonly pattern: string) {}

  steps(): Step[] {
    return this.#program(this.#alternatives());
  }

  /** The steps of a part on their own; the last goes nowhere. */
  #program(part: () => void): Step[] {
    const outer = this.#steps;
    this.#steps = [];
    part();
    this.#step({ to: [] });
    const steps = this.#steps;
    this.#steps = outer;
    return steps;
  }

  #step(step: Step): Step {
    if (this.#steps.push(step) > MOST_OF_A_PATTERN) throw new Error("its repetitions are too many");
    return step;
  }

  get #end(): number {
    return this.#steps.length;
  }

  /** A step that goes on to the next one. */
  #then(step: Omit<Step, "to">): Step {
    return this.#step({ ...step, to: [this.#end + 1] });
  }

  #take(text: string): boolean {
    const isNext = this.pattern.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const [text] = expression.exec(this.pattern) ?? [];
    this.#at += text?.length ?? 0;
    return text;
  }

  #alternatives(): () => void {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    return () => {
      const ends: Step[] = [];
      options.forEach((option, index) => {
        const isLast = index === options.length - 1;
        const fork = isLast ? undefined : this.#then({});
        option();
        if (!isLast) ends.push(this.#step({ to: [] }));
        fork?.to.push(this.#end);
      });
      for (const { to } of ends) to.push(this.#end);
    };
  }

  #sequence(): () => void {
    const parts: (() => void)[] = [];
    while (this.#at < this.pattern.length && !/[|)]/.test(this.pattern[this.#at] as string)) {
      parts.push(this.#repeated(this.#atom()));
    }
    return () => {
      for (const part of parts) part();
    };
  }

  #repeated(part: () => void): () => void {
    const [count] = this.#match(/[*+?]|\{\d+(?:,\d*)?\}/y)?.match(/.*/s) ?? [];
    if (count === undefined) return part;
    this.#take("?");
    const [least, most] = boundsOf(count);
    return () => {
      for (let time = 0; time < least; time++) part();
      if (most === Number.POSITIVE_INFINITY) {
        const start = this.#end;
        const fork = this.#then({});
        part();
        this.#step({ to: [start] });
        fork.to.push(this.#end);
        return;
      }
      const forks: Step[] = [];
      for (let time = least; time < most; time++) {
        forks.push(this.#then({}));
        part();
      }
      for (const { to } of forks) to.push(this.#end);
    };
  }

  #atom(): () => void {
    if (this.#take("^")) return this.#assertion((_, at) => at === 0);
    if (this.#take("$")) return this.#assertion(({ characters }, at) => at === characters.length);
    if (this.#take("\\b")) return this.#assertion(isBoundary);
    if (this.#take("\\B")) return this.#assertion((text, at) => !isBoundary(text, at));
    const opening = this.#match(/\((?:\?(?:[:=!]|<(?![=!])[^>]*>|))?/y);
    if (opening !== undefined) return this.#group(opening);
    // One code point, an escape, or a class.
    const character = this.#match(
      /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|[pP]\{[^}]*\}|[^1-9k])|\[(?:\\.|[^\]\\])*\]|./suy,
    );
    if (character === undefined || /^\\?$/.test(character)) throw new Error("it refers back to a group");
    const reads = readerOf(character);
    return () => this.#then({ reads });
  }

  #group(opening: string): () => void {
    if (opening === "(?") throw new Error("it looks behind, or changes flags");
    const inner = this.#alternatives();
    this.#take(")");
    if (opening !== "(?=" && opening !== "(?!") return inner;
    const steps = this.#program(inner);
    const isWanted = opening === "(?=";
    return this.#assertion((text, at) => leadsThrough(steps, text, at, false) === isWanted);
  }

  #assertion(holds: Required<Step>["holds"]): () => void {
    return () => this.#then({ holds });
  }
}

function boundsOf(count: string): [number, number] {
  if (count === "?") return [0, 1];
  if (count === "*" || count === "+") return [count === "+" ? 1 : 0, Number.POSITIVE_INFINITY];
  const [least, most = least] = count.slice(1, -1).split(",") as [string, string?];
  return [Number(least), most === "" ? Number.POSITIVE_INFINITY : Number(most)];
}

function readerOf(source: string): (character: string) => boolean {
  if (!/[\\[.]/.test(source)) return (character) => character === source;
  const expression = new RegExp(`^${source}$`, "u");
  return (character) => expression.test(character);
}

function isBoundary({ characters }: Text, at: number): boolean {
  const isWord = (index: number) => /^\w$/.test(characters[index] ?? "");
  return isWord(at - 1) !== isWord(at);
}
