/** Patterns as steps (Thompson's construction). Only single characters are left to `RegExp`, with all its classes. */

/** One step: reads a character, or looks at where it is, and goes on. */
export interface PatternStep {
  /** Whether it reads this character; without it, it reads none. */
  reads?: (character: string) => boolean;
  /** Whether it may go on here. */
  holds?: Assertion;
  /** Where it goes on; nowhere at the end of a match. */
  to: number[];
}

/** Whether something is the case at a place; `undefined` where that depends on what follows, and nobody knows it yet. */
export type Assertion = (place: PatternPosition) => boolean | undefined;

/** Between two characters. */
export interface PatternPosition {
  before: Neighbour;
  /** `undefined` while nobody knows. */
  after: Neighbour | undefined;
  /** Whether there is a way through these steps from here on. */
  leadsThrough?: (steps: readonly PatternStep[]) => boolean;
}

/** What stands beside a place, as far as assertions ask: the end of the text, a line's, or a character. */
export type Neighbour = "edge" | "line" | "word" | "other";

/** The steps of a pattern. */
export interface Program {
  steps: readonly PatternStep[];
  /** Whether it looks at what follows, be it but the next character. */
  looksAround: boolean;
  /** Whether it looks beyond that. */
  looksAhead: boolean;
  neighbourOf(character: string): Neighbour;
}

/** What repetitions come to when they are written out. */
const MOST_OF_A_PATTERN = 20_000;

/**
 * The steps of a pattern that is known to be one, with the flag `u`.
 *
 * @param flags Those of `i`, `m` and `s` that it has.
 * @throws Error for what cannot be matched so.
 */
export function compiled(pattern: string, flags: string): Program {
  const compiler = new PatternCompiler(pattern, flags);
  const steps = compiler.steps();
  const word = readerOf("\\w", flags);
  return {
    steps,
    looksAround: steps.some(({ holds }) => holds),
    looksAhead: compiler.looksAhead,
    neighbourOf: (character) =>
      word(character) ? "word" : /^[\n\r\u2028\u2029]$/.test(character) ? "line" : "other",
  };
}

/** Reads a pattern, and writes its steps; a part of it is a function that writes them. */
class PatternCompiler {
  looksAhead = false;
  #at = 0;
  #steps: PatternStep[] = [];
  readonly #readers = new Map<string, Required<PatternStep>["reads"]>();

  constructor(
    readonly pattern: string,
    readonly flags: string,
  ) {}

  steps(): PatternStep[] {
    return this.#program(this.#alternatives());
  }

  /** The steps of a part on their own; the last goes nowhere. */
  #program(part: () => void): PatternStep[] {
    const outer = this.#steps;
    this.#steps = [];
    part();
    this.#step({ to: [] });
    const steps = this.#steps;
    this.#steps = outer;
    return steps;
  }

  #step(step: PatternStep): PatternStep {
    if (this.#steps.push(step) > MOST_OF_A_PATTERN) throw new Error("its repetitions are too many");
    return step;
  }

  get #end(): number {
    return this.#steps.length;
  }

  /** A step that goes on to the next one. */
  #then(step: Omit<PatternStep, "to">): PatternStep {
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
      const ends: PatternStep[] = [];
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
      const forks: PatternStep[] = [];
      for (let time = least; time < most; time++) {
        forks.push(this.#then({}));
        part();
      }
      for (const { to } of forks) to.push(this.#end);
    };
  }

  #atom(): () => void {
    const isMultiline = this.flags.includes("m");
    const isEdge = (neighbour: Neighbour | undefined) =>
      neighbour && (neighbour === "edge" || (isMultiline && neighbour === "line"));
    if (this.#take("^")) return this.#assertion(({ before }) => isEdge(before));
    if (this.#take("$")) return this.#assertion(({ after }) => isEdge(after));
    if (this.#take("\\b")) return this.#assertion(isBoundary);
    if (this.#take("\\B")) return this.#assertion((place) => negated(isBoundary(place)));
    const opening = this.#match(/\((?:\?(?:[:=!]|<(?![=!])[^>]*>|))?/y);
    if (opening !== undefined) return this.#group(opening);
    // One code point, an escape, or a class.
    const character = this.#match(
      /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|[pP]\{[^}]*\}|[^1-9k])|\[(?:\\.|[^\]\\])*\]|./suy,
    );
    if (character === undefined || /^\\?$/.test(character)) throw new Error("it refers back to a group");
    let reads = this.#readers.get(character);
    if (!reads) {
      reads = readerOf(character, this.flags);
      this.#readers.set(character, reads);
    }
    const step = { reads };
    return () => this.#then(step);
  }

  #group(opening: string): () => void {
    if (opening === "(?") throw new Error("it looks behind, or changes flags");
    const inner = this.#alternatives();
    this.#take(")");
    if (opening !== "(?=" && opening !== "(?!") return inner;
    this.looksAhead = true;
    const steps = this.#program(inner);
    const isWanted = opening === "(?=";
    return this.#assertion(({ leadsThrough }) => leadsThrough && leadsThrough(steps) === isWanted);
  }

  #assertion(holds: Assertion): () => void {
    return () => this.#then({ holds });
  }
}

function boundsOf(count: string): [number, number] {
  if (count === "?") return [0, 1];
  if (count === "*" || count === "+") return [count === "+" ? 1 : 0, Number.POSITIVE_INFINITY];
  const [least, most = least] = count.slice(1, -1).split(",") as [string, string?];
  return [Number(least), most === "" ? Number.POSITIVE_INFINITY : Number(most)];
}

function readerOf(source: string, flags: string): (character: string) => boolean {
  if (!/[\\[.]/.test(source) && !flags.includes("i")) return (character) => character === source;
  const expression = new RegExp(`^${source}$`, `u${flags.replace("m", "")}`);
  return (character) => expression.test(character);
}

const isBoundary: Assertion = ({ before, after }) => after && (before === "word") !== (after === "word");

const negated = (known: boolean | undefined): boolean | undefined => (known === undefined ? known : !known);
