/**
 * Matches JavaScript regular expressions in linear time. The backtracking engines of runtimes can take years for an
 * unfortunate model output. All paths through a pattern are followed at once and cached (a lazily built deterministic
 * automaton).
 */

import {
  compilePattern,
  type Neighbour,
  type PatternPosition,
  type PatternStep,
  type Program,
} from "./compiler.js";
import { withCodePoints } from "./source.js";

/** How many steps of a match may be missing from the cache. They take a second or two. */
const MAX_STEPS = 5_000_000;

/** How many items are cached at most: steps of states, and transitions. */
const MAX_CACHED = 200_000;

const MAX_KEY_STEPS = 100;

/** The outcome for a prefix of a text: whether it matches whatever follows; `undefined` while it is open. */
export type PrefixOutcome = boolean | undefined;

/** The position of all paths through a pattern. */
interface MatchState {
  /** The next steps, in order. */
  entries: readonly number[];
  before: Neighbour;
  outcome: PrefixOutcome;
  /** Whether no match has begun. */
  isIdle: boolean;
  /** The next state for each character. */
  next: Map<string, MatchState>;
  /** The steps that are reachable without reading, whatever follows. */
  closure: Closure;
}

/** A pattern to search for in texts. Characters are code points, as with the flag `u`. */
export class Pattern {
  readonly #program: Program;
  /** Whether a match may begin after the start of the text. */
  readonly #isSearch: boolean;
  readonly #states = new Map<string, MatchState>();
  #cached = 0;

  /**
   * @param flags Any of `i`, `m` and `s`.
   * @throws Error for an invalid pattern, or one that cannot be matched in linear time.
   */
  constructor(pattern: string, flags = "") {
    this.#program = compilePattern(withCodePoints(pattern), flags);
    this.#isSearch = startsAnywhere(this.#program, flags.includes("m"));
  }

  /** Whether it can be matched against a streaming text. */
  get canWatch(): boolean {
    return !this.#program.looksAhead;
  }

  /**
   * Whether a text contains a match.
   *
   * @throws Error if it would take too long.
   */
  test(text: string): boolean {
    if (this.#program.looksAhead) return new LookaheadSearch(this.#program, text).run(this.#isSearch);
    const reading = this.read();
    return reading.add(text) ?? reading.end();
  }

  /** Starts to match a streaming text. */
  read(): PatternStream {
    let left = MAX_STEPS;
    const spend = (steps: number) => {
      left -= steps;
      if (left < 0) throw new Error(TOO_LONG);
    };
    let state = this.#state([0], "edge", spend);
    // The first half of a surrogate pair, until the second half arrives.
    let half = "";
    let begun = 0;
    const add = (text: string): PrefixOutcome => {
      for (const character of text) {
        if (state.outcome !== undefined) break;
        state = state.next.get(character) ?? this.#step(state, character, spend);
        begun = state.isIdle ? 0 : begun + character.length;
      }
      return state.outcome;
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
    const next = this.#state(
      stepsAfter(this.#program.steps, reading, character, this.#isSearch),
      after,
      spend,
    );
    state.next.set(character, next);
    this.#cached++;
    return next;
  }

  #state(list: number[], before: Neighbour, spend: (steps: number) => void): MatchState {
    // Large states rarely recur.
    const key = list.length > MAX_KEY_STEPS ? undefined : `${before} ${list.sort((a, b) => a - b)}`;
    const state = key === undefined ? undefined : this.#states.get(key);
    if (state) return state;
    if (this.#cached > MAX_CACHED) {
      for (const { next } of this.#states.values()) next.clear();
      this.#states.clear();
      this.#cached = 0;
    }
    const closure = closureOf(this.#program.steps, list, { before, after: undefined });
    spend(closure.count);
    const outcome = closure.isMatch || (list.length ? undefined : false);
    const isIdle = this.#isSearch && list.length === 1 && list[0] === 0;
    const made: MatchState = { entries: list, before, outcome, isIdle, next: new Map(), closure };
    if (key !== undefined) this.#states.set(key, made);
    this.#cached += 1 + closure.count;
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

/** The match of a streaming text. */
export interface PatternStream {
  /** How many characters at the end, in UTF-16 code units, may become part of a match. */
  readonly begun: number;
  /** Takes the next piece. */
  add(piece: string): PrefixOutcome;
  /** Ends the text; returns whether it matches. */
  end(): boolean;
}

const TOO_LONG = "it takes too many steps";

const NOTHING: Closure = { isMatch: false, reading: [], count: 0 };
const MATCHES: MatchState = {
  entries: [],
  before: "other",
  outcome: true,
  isIdle: false,
  next: new Map(),
  closure: NOTHING,
};

interface Closure {
  /** Whether a match ends here. */
  isMatch: boolean;
  /** The steps that read the next character. */
  reading: PatternStep[];
  /** The number of steps followed. */
  count: number;
}

/**
 * The steps that are reachable without reading a character.
 *
 * @param passes Whether the value of an assertion is enough to continue.
 */
function closureOf(
  steps: readonly PatternStep[],
  entries: Iterable<number>,
  place: PatternPosition,
  passes = (value: boolean | undefined): boolean => value === true,
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

/** The steps after those that read the character; with `isSearch`, also the first step. */
function stepsAfter(
  steps: readonly PatternStep[],
  reading: readonly PatternStep[],
  character: string,
  isSearch: boolean,
): number[] {
  const entries = isSearch ? [0] : [];
  const added = new Uint8Array(steps.length);
  if (isSearch) added[0] = 1;
  // The copies of a repetition are adjacent and read the same character.
  let last: PatternStep["reads"];
  let isRead = false;
  for (const { reads, to } of reading) {
    if (reads !== last) {
      last = reads;
      isRead = reads?.(character) === true;
    }
    if (!isRead) continue;
    for (const next of to) {
      if (added[next]) continue;
      added[next] = 1;
      entries.push(next);
    }
  }
  return entries;
}

/** Whether a match may begin elsewhere than at the start of the text. */
function startsAnywhere({ steps }: Program, isMultiline: boolean): boolean {
  const place: PatternPosition = { before: isMultiline ? "line" : "other", after: undefined };
  const { isMatch, reading } = closureOf(steps, [0], place, (value) => value !== false);
  return isMatch || reading.length > 0;
}

/** Searches a text with a pattern that has lookaheads, which are matched again at each place. */
class LookaheadSearch {
  readonly #characters: string[];
  readonly #neighbours: Neighbour[];
  #left = MAX_STEPS;

  constructor(
    readonly program: Program,
    text: string,
  ) {
    this.#characters = Array.from(text);
    this.#neighbours = this.#characters.map(program.neighbourOf);
  }

  run(isSearch: boolean): boolean {
    return this.#matchesFrom(this.program.steps, 0, isSearch);
  }

  #matchesFrom(steps: readonly PatternStep[], start: number, isSearch: boolean): boolean {
    let entries = [0];
    for (let at = start; ; at++) {
      const place: PatternPosition = {
        before: this.#neighbours[at - 1] ?? "edge",
        after: this.#neighbours[at] ?? "edge",
        matchesHere: (inner) => this.#matchesFrom(inner, at, false),
      };
      const { isMatch, reading, count } = closureOf(steps, entries, place);
      this.#left -= count;
      if (this.#left < 0) throw new Error(TOO_LONG);
      if (isMatch) return true;
      const character = this.#characters[at];
      if (character === undefined) return false;
      entries = stepsAfter(steps, reading, character, isSearch);
      if (!entries.length) return false;
    }
  }
}
