/** Compiles patterns to steps (Thompson's construction). `RegExp` only matches single characters, including classes. */

/** A step: reads a character or tests an assertion, then continues. */
export interface PatternStep {
  /** Whether the step reads this character; missing if it reads none. */
  reads?: (character: string) => boolean;
  /** Whether the step may continue here. */
  holds?: Assertion;
  /** The next steps; empty at the end of a match. */
  to: number[];
}

/** Whether an assertion holds at a position; `undefined` while that depends on further text. */
export type Assertion = (place: PatternPosition) => boolean | undefined;

/** A position between two characters. */
export interface PatternPosition {
  before: Neighbour;
  /** `undefined` while it is unknown. */
  after: Neighbour | undefined;
  /** Whether these steps match from here on. */
  matchesHere?: (steps: readonly PatternStep[]) => boolean;
}

/** The kind of character next to a position; `edge` is the end of the text. */
export type Neighbour = "edge" | "line" | "word" | "other";

/** The steps of a pattern. */
export interface Program {
  steps: readonly PatternStep[];
  /** Whether it has assertions. */
  looksAround: boolean;
  /** Whether it has lookaheads. */
  looksAhead: boolean;
  neighbourOf(character: string): Neighbour;
}

/** How many steps a pattern may have, with its repetitions expanded. */
const MAX_PROGRAM_STEPS = 20_000;

/**
 * Compiles a pattern that is valid with the flag `u`.
 *
 * @param flags Any of `i`, `m` and `s`.
 * @throws Error for a pattern that cannot be matched in linear time.
 */
export function compilePattern(pattern: string, flags: string): Program {
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

/** Parses a pattern and writes its steps. Each parsed part is a function that writes its steps. */
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

  /** The steps of a part on their own; the last one has no next step. */
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
    if (this.#steps.push(step) > MAX_PROGRAM_STEPS) throw new Error("it has too many repetitions");
    return step;
  }

  get #end(): number {
    return this.#steps.length;
  }

  /** Adds a step that continues with the next one. */
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
    if (character === undefined || /^\\?$/.test(character)) throw new Error("it has a backreference");
    let reads = this.#readers.get(character);
    if (!reads) {
      reads = readerOf(character, this.flags);
      this.#readers.set(character, reads);
    }
    const step = { reads };
    return () => this.#then(step);
  }

  #group(opening: string): () => void {
    if (opening === "(?") throw new Error("it has a lookbehind, or changes flags");
    const inner = this.#alternatives();
    this.#take(")");
    if (opening !== "(?=" && opening !== "(?!") return inner;
    this.looksAhead = true;
    const steps = this.#program(inner);
    const isWanted = opening === "(?=";
    return this.#assertion(({ matchesHere }) => matchesHere && matchesHere(steps) === isWanted);
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

const negated = (value: boolean | undefined): boolean | undefined => (value === undefined ? value : !value);
