/** Validates streaming JSON text and reports the first error. */

/** The tokens that the grammar allows next. */
enum Next {
  Value,
  /** A value, or the end of an empty list. */
  ValueOrEnd,
  /** The name of a member, or the end of an empty object. */
  NameOrEnd,
  Name,
  Colon,
  CommaOrEnd,
  Nothing,
}

const SPACE = /[ \t\n\r]*/y;
/** The part of a string before its end, an escape, or a forbidden character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const PLAIN = /[^"\\\0-\x1f]*/y;
const WORDS = ["true", "false", "null"];

/** The states of reading a number: the next state for each character. */
const NUMBER: Record<string, (character: string) => string | undefined> = {
  "-": (c) => (c === "0" ? "0" : /[1-9]/.test(c) ? "1" : undefined),
  "0": (c) => (c === "." ? "." : /[eE]/.test(c) ? "e" : undefined),
  "1": (c) => (/\d/.test(c) ? "1" : c === "." ? "." : /[eE]/.test(c) ? "e" : undefined),
  ".": (c) => (/\d/.test(c) ? ".1" : undefined),
  ".1": (c) => (/\d/.test(c) ? ".1" : /[eE]/.test(c) ? "e" : undefined),
  e: (c) => (/\d/.test(c) ? "e1" : /[+-]/.test(c) ? "e+" : undefined),
  "e+": (c) => (/\d/.test(c) ? "e1" : undefined),
  e1: (c) => (/\d/.test(c) ? "e1" : undefined),
};
const NUMBER_ENDS = ["0", "1", ".1", "e1"];

/** Validates one JSON value, piece by piece. */
export class JsonText {
  /** The first error, once found. */
  problem: string | undefined;
  #next = Next.Value;
  /** The closing characters of the open lists and objects. */
  readonly #closers: ("]" | "}")[] = [];
  /** The token being read. */
  #token:
    | { kind: "string"; isName: boolean; escape: string }
    | { kind: "number"; part: string }
    | { kind: "word"; word: string; at: number }
    | undefined;
  /** The number of characters in earlier pieces. */
  #before = 0;
  #piece = "";
  #at = 0;

  /** Takes a piece; returns the first error, once found. */
  add(piece: string): string | undefined {
    this.#piece = piece;
    this.#at = 0;
    while (this.#at < piece.length && this.problem === undefined) {
      if (this.#token) this.#inToken();
      else {
        this.#skip(SPACE);
        const character = piece[this.#at];
        if (character !== undefined) this.#start(character);
      }
    }
    this.#before += piece.length;
    return this.problem;
  }

  /** Ends the text; returns the first error, if any. */
  end(): string | undefined {
    if (this.problem !== undefined) return this.problem;
    const token = this.#token;
    if (token?.kind === "number" && NUMBER_ENDS.includes(token.part)) this.#close();
    if (this.#token || this.#next !== Next.Nothing) {
      this.problem = this.#before ? `it breaks off at character ${this.#before}` : "it is empty";
    }
    return this.problem;
  }

  #skip(expression: RegExp): void {
    expression.lastIndex = this.#at;
    this.#at += expression.exec(this.#piece)?.[0].length ?? 0;
  }

  #wrong(): void {
    const character = String.fromCodePoint(this.#piece.codePointAt(this.#at) ?? 0);
    this.problem = `it has ${JSON.stringify(character)} at character ${this.#before + this.#at}, where ${EXPECTED[this.#next]} is expected`;
  }

  #start(character: string): void {
    const next = this.#next;
    const isEnd = character === this.#closers.at(-1);
    if (isEnd && [Next.ValueOrEnd, Next.NameOrEnd, Next.CommaOrEnd].includes(next)) {
      this.#closers.pop();
      this.#at++;
      this.#done();
    } else if (next === Next.Value || next === Next.ValueOrEnd) this.#value(character);
    else if ((next === Next.Name || next === Next.NameOrEnd) && character === '"') this.#string(true);
    else if (next === Next.Colon && character === ":") this.#go(Next.Value);
    else if (next === Next.CommaOrEnd && character === ",") {
      this.#go(this.#closers.at(-1) === "}" ? Next.Name : Next.Value);
    } else this.#wrong();
  }

  #value(character: string): void {
    const word = WORDS.find((word) => word[0] === character);
    if (character === '"') this.#string(false);
    else if (character === "[") this.#open("]", Next.ValueOrEnd);
    else if (character === "{") this.#open("}", Next.NameOrEnd);
    else if (/[-\d]/.test(character)) {
      this.#token = { kind: "number", part: /[-0]/.test(character) ? character : "1" };
      this.#at++;
    } else if (word) {
      this.#token = { kind: "word", word, at: 1 };
      this.#at++;
    } else this.#wrong();
  }

  #open(end: "]" | "}", next: Next): void {
    this.#closers.push(end);
    this.#go(next);
  }

  #string(isName: boolean): void {
    this.#token = { kind: "string", isName, escape: "" };
    this.#at++;
  }

  #go(next: Next): void {
    this.#next = next;
    this.#at++;
  }

  /** Continues after a value. */
  #done(): void {
    this.#next = this.#closers.length ? Next.CommaOrEnd : Next.Nothing;
  }

  /** Ends a token. */
  #close(): void {
    const token = this.#token;
    this.#token = undefined;
    if (token?.kind === "string" && token.isName) this.#next = Next.Colon;
    else this.#done();
  }

  #inToken(): void {
    const token = this.#token;
    const character = this.#piece[this.#at] as string;
    if (token?.kind === "word") {
      if (character === token.word[token.at]) {
        this.#at++;
        if (++token.at === token.word.length) this.#close();
      } else this.#wrong();
    } else if (token?.kind === "number") {
      const part = NUMBER[token.part]?.(character);
      if (part) {
        token.part = part;
        this.#at++;
      } else if (NUMBER_ENDS.includes(token.part)) this.#close();
      else this.#wrong();
    } else if (token?.escape) {
      const read = token.escape + character;
      if (/^\\(?:["\\/bfnrt]|u[\da-fA-F]{0,4})$/.test(read)) {
        this.#at++;
        token.escape = read.length === (read[1] === "u" ? 6 : 2) ? "" : read;
      } else this.#wrong();
    } else if (token) {
      this.#skip(PLAIN);
      const end = this.#piece[this.#at];
      if (end === undefined) return;
      if (end === "\\") token.escape = end;
      else if (end === '"') this.#close();
      else this.#wrong();
      if (this.problem === undefined) this.#at++;
    }
  }
}

const EXPECTED: Record<Next, string> = {
  [Next.Value]: "a value",
  [Next.ValueOrEnd]: "a value or ]",
  [Next.NameOrEnd]: "a name in quotes or }",
  [Next.Name]: "a name in quotes",
  [Next.Colon]: "a colon",
  [Next.CommaOrEnd]: "a comma or the end",
  [Next.Nothing]: "nothing",
};
