/**
 * Reads JSON, and says in plain words where it stops being JSON. JSON.parse knows this too, but each browser words it in
 * its own way, and Safari leaves the place out.
 */

/** The value of a text, or what is wrong with it, and where. */
export type JsonText = { value: unknown; problem?: undefined } | { value?: undefined; problem: string };

export function readJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const { problem, at } = firstProblem(text) ?? { problem: (error as Error).message, at: text.length };
    const lines = text.slice(0, at).split("\n");
    const column = Array.from(lines.at(-1) ?? "").length + 1;
    return { problem: `Line ${lines.length}, column ${column}: ${problem}.` };
  }
}

/** The first place that is no JSON. */
interface Place {
  problem: string;
  at: number;
}

type Token = { token: string; at: number; broken?: undefined } | { broken: Place };

// What may come next, in the words of the message.
const VALUE = "a value";
const KEY = "a key in double quotes";
const COLON = "a colon";
const END = "the end of the text";

/** Walks over the tokens as a JSON parser does, and stops where one would. */
function firstProblem(text: string): Place | undefined {
  const open: string[] = []; // the closing brackets that are still to come
  let expected = VALUE;
  for (const read of tokens(text)) {
    if (read.broken) return read.broken;
    const { token, at } = read;
    const next = follow(expected, token, open);
    if (!next) return { problem: `expected ${expected}, found ${shown(token)}`, at };
    expected = next;
  }
  return undefined;
}

function shown(token: string): string {
  if (token === "") return END;
  const characters = Array.from(token);
  // Other scripts' spaces, such as one that does not break, cannot be seen.
  if (/\s/.test(characters[0] ?? ""))
    return `the character U+${token.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return characters.length > 24 ? `${characters.slice(0, 24).join("")}…` : token;
}

/** What may come after a token, or nothing if the token may not stand here. */
function follow(expected: string, token: string, open: string[]): string | undefined {
  if (token === open.at(-1) && expected.endsWith(token)) {
    open.pop();
    return afterValue(open);
  }
  if (token === "," && expected.startsWith("a comma")) return open.at(-1) === "}" ? KEY : VALUE;
  if (token === ":" && expected === COLON) return VALUE;
  if (token === "" && expected === END) return END;
  if (expected.startsWith(KEY)) return token.startsWith('"') ? COLON : undefined;
  if (!expected.startsWith(VALUE)) return undefined;
  if (token === "{") {
    open.push("}");
    return `${KEY} or }`;
  }
  if (token === "[") {
    open.push("]");
    return `${VALUE} or ]`;
  }
  return token.startsWith('"') || SCALAR.test(token) ? afterValue(open) : undefined;
}

const afterValue = (open: string[]): string => (open.length ? `a comma or ${open.at(-1)}` : END);

const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside strings
  /[ \t\n\r]*([{}[\]:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*("?)|[^ \t\n\r{}[\]:,"]*)/y;

/** The pieces of the text, the end as an empty one. */
function* tokens(text: string): Generator<Token> {
  TOKEN.lastIndex = 0;
  for (;;) {
    const [, token = "", closing] = TOKEN.exec(text) ?? [];
    const at = TOKEN.lastIndex - token.length;
    if (closing === "") yield { broken: brokenString(text, at, TOKEN.lastIndex) };
    yield { token, at };
    if (token === "") return;
  }
}

function brokenString(text: string, start: number, end: number): Place {
  if (text[end] === "\\") return { problem: "JSON has no such escape", at: end };
  if (end === text.length || text[end] === "\n")
    return { problem: "this string has no closing quote", at: start };
  return { problem: "this character must be escaped in a string", at: end };
}
