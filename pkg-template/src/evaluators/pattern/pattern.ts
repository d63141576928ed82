/**
 * Regular expressions of JavaScript that are matched in linear time: what a model answers may make the engines of
 * runtimes, which go back and try again, take years. All ways through a pattern are followed at once, and where they led
 * is remembered (a deterministic automaton, made as it is needed).
 */

import {
  compiled,
  type Neighbour,
  type PatternPosition,
  type PatternStep,
  type Program,
} from "./compiler.js";
import { withCodePoints } from "./source.js";

/** How many steps a match may take that nothing is remembered of: about a second or two. */
const MOST_STEPS = 5_000_000;

/** How much is remembered: steps of states, and ways from one to the next. */
const MOST_REMEMBERED = 200_000;

const MOST_IN_A_KEY = 100;

/** What is known of a text whose beginning has been read: it matches or does not, whatever follows. */
export type Known = boolean | undefined;

/** Where all ways through a pattern have come to. */
interface MatchState {
  /** The steps that come next, in order. */
  entries: readonly number[];
  before: Neighbour;
  known: Known;
  /** Whether nothing of a match has begun. */
  isIdle: boolean;
  /** Where each character leads. */
  next: Map<string, MatchState>;
  /** What can be reached from here whatever follows. */
  closure: Closure;
}

/** A pattern that is looked for in texts. Characters are code points, as with the flag `u`. */
export class Pattern {
  readonly #program: Program;
  /** Whether a match may begin behind the beginning of the text. */
  readonly #isSearch: boolean;
  readonly #states = new Map<string, MatchState>();
  #remembered = 0;

  /**
   * @param flags Those of `i`, `m` and `s` that count.
   * @throws Error for what is no pattern, or cannot be matched in linear time.
   */
  constructor(pattern: string, flags = "") {
    this.#program = compiled(withCodePoints(pattern), flags);
    this.#isSearch = startsAnywhere(this.#program, flags.includes("m"));
  }

  /** Whether it can be looked for in a text that is not all there. */
  get canWatch(): boolean {
    return !this.#program.looksAhead;
  }

  /**
   * Whether a text has a match in it.
   *
   * @throws Error where that takes too long.
   */
  test(text: string): boolean {
    if (this.#program.looksAhead) return new LookaheadSearch(this.#program, text).run(this.#isSearch);
    const reading = this.read();
    return reading.add(text) ?? reading.end();
  }

  /** Begins to read a text that comes in pieces. */
  read(): PatternStream {
    let left = MOST_STEPS;
    const spend = (steps: number) => {
      left -= steps;
      if (left < 0) throw new Error(TOO_LONG);
    };
    let state = this.#state([0], "edge", spend);
    // The first half of a pair waits for the other.
    let half = "";
    let begun = 0;
    const add = (text: string): Known => {
      for (const character of text) {
        if (state.known !== undefined) break;
        state = state.next.get(character) ?? this.#step(state, character, spend);
        begun = state.isIdle ? 0 : begun + character.length;
      }
      return state.known;
    };
    return {
      get begun() {
        return begun + half.length;
      },
      add: (piece) => {
        const text = half + piece;
        half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
        return add(half ? text.slice(0, -1) : text);
      },
      end: () => {
        const rest = half;
        half = "";
        return add(rest) ?? this.#closure(state, "edge", spend).isMatch;
      },
    };
  }

  #step(state: MatchState, character: string, spend: (steps: number) => void): MatchState {
    const after = this.#program.neighbourOf(character);
    const { isMatch, reading } = this.#closure(state, after, spend);
    if (isMatch) return MATCHES;
    const next = this.#state(behind(this.#program.steps, reading, character, this.#isSearch), after, spend);
    state.next.set(character, next);
    this.#remembered++;
    return next;
  }

  #state(list: number[], before: Neighbour, spend: (steps: number) => void): MatchState {
    // Large ones are rarely met again.
    const key = list.length > MOST_IN_A_KEY ? undefined : `${before} ${list.sort((a, b) => a - b)}`;
    const state = key === undefined ? undefined : this.#states.get(key);
    if (state) return state;
    if (this.#remembered > MOST_REMEMBERED) {
      for (const { next } of this.#states.values()) next.clear();
      this.#states.clear();
      this.#remembered = 0;
    }
    const closure = closureOf(this.#program.steps, list, { before, after: undefined });
    spend(closure.count);
    const known = closure.isMatch || (list.length ? undefined : false);
    const isIdle = this.#isSearch && list.length === 1 && list[0] === 0;
    const made: MatchState = { entries: list, before, known, isIdle, next: new Map(), closure };
    if (key !== undefined) this.#states.set(key, made);
    this.#remembered += 1 + closure.count;
    return made;
  }

  #closure(
    { entries, before, closure }: MatchState,
    after: Neighbour,
    spend: (steps: number) => void,
  ): Closure {
    if (!this.#program.looksAround) return closure;
    const found = closureOf(this.#program.steps, entries, { before, after });
    spend(found.count);
    return found;
  }
}

/** A text that comes in pieces. */
export interface PatternStream {
  /** How many characters have come, in UTF-16, since something began that may become a match. */
  readonly begun: number;
  /** Takes a piece. */
  add(piece: string): Known;
  /** Whether it matches, now that nothing follows. */
  end(): boolean;
}

const TOO_LONG = "it takes too many steps";

const NOTHING: Closure = { isMatch: false, reading: [], count: 0 };
const MATCHES: MatchState = {
  entries: [],
  before: "other",
  known: true,
  isIdle: false,
  next: new Map(),
  closure: NOTHING,
};

interface Closure {
  /** Whether this is the end of a match. */
  isMatch: boolean;
  /** The steps that read the next character. */
  reading: PatternStep[];
  /** How many steps it took. */
  count: number;
}

/**
 * All that can be reached from here without reading.
 *
 * @param passes Whether what is known of an assertion is enough to go on.
 */
function closureOf(
  steps: readonly PatternStep[],
  entries: Iterable<number>,
  place: PatternPosition,
  passes = (known: boolean | undefined): boolean => known === true,
): Closure {
  const visited = new Uint8Array(steps.length);
  const waiting = Array.from(entries);
  const reading: PatternStep[] = [];
  let isMatch = false;
  let count = 0;
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (visited[index]) continue;
    visited[index] = 1;
    count++;
    const step = steps[index] as PatternStep;
    if (step.to.length === 0) isMatch = true;
    else if (step.reads) reading.push(step);
    else if (!step.holds || passes(step.holds(place))) waiting.push(...step.to);
  }
  return { isMatch, reading, count };
}

/** Where steps go on that read this character, or with `isSearch` from the beginning as well. */
function behind(
  steps: readonly PatternStep[],
  reading: readonly PatternStep[],
  character: string,
  isSearch: boolean,
): number[] {
  const entries = isSearch ? [0] : [];
  const known = new Uint8Array(steps.length);
  if (isSearch) known[0] = 1;
  // Those of a repetition stand side by side, and read the same.
  let last: PatternStep["reads"];
  let isRead = false;
  for (const { reads, to } of reading) {
    if (reads !== last) {
      last = reads;
      isRead = reads?.(character) === true;
    }
    if (!isRead) continue;
    for (const next of to) {
      if (known[next]) continue;
      known[next] = 1;
      entries.push(next);
    }
  }
  return entries;
}

/** Whether a match may begin where the text does not: whatever follows there. */
function startsAnywhere({ steps }: Program, isMultiline: boolean): boolean {
  const place: PatternPosition = { before: isMultiline ? "line" : "other", after: undefined };
  const { isMatch, reading } = closureOf(steps, [0], place, (known) => known !== false);
  return isMatch || reading.length > 0;
}

/** A search in a text that looks ahead: what follows is read again for each place where it does. */
class LookaheadSearch {
  readonly #characters: string[];
  readonly #neighbours: Neighbour[];
  #left = MOST_STEPS;

  constructor(
    readonly program: Program,
    text: string,
  ) {
    this.#characters = Array.from(text);
    this.#neighbours = this.#characters.map(program.neighbourOf);
  }

  run(isSearch: boolean): boolean {
    return this.#leadsThrough(this.program.steps, 0, isSearch);
  }

  #leadsThrough(steps: readonly PatternStep[], start: number, isSearch: boolean): boolean {
    let entries = [0];
    for (let at = start; ; at++) {
      const place: PatternPosition = {
        before: this.#neighbours[at - 1] ?? "edge",
        after: this.#neighbours[at] ?? "edge",
        leadsThrough: (inner) => this.#leadsThrough(inner, at, false),
      };
      const { isMatch, reading, count } = closureOf(steps, entries, place);
      this.#left -= count;
      if (this.#left < 0) throw new Error(TOO_LONG);
      if (isMatch) return true;
      const character = this.#characters[at];
      if (character === undefined) return false;
      entries = behind(steps, reading, character, isSearch);
      if (!entries.length) return false;
    }
  }
}
