/** Reads the expected results in the comments of examples, and compares them with the actual ones. */

import { format } from "node:util";

/** Whether a value is the expected one. */
export type Expected = (value: unknown) => boolean;

/**
 * Reads a value as comments write it: JSON, with names of keys as they are and `…` for whatever else there is
 * (the rest of a number, of a text, of a list, of the keys; a key alone stands for any value). The text after
 * it is prose.
 *
 * @returns Nothing if the comment does not begin with a value.
 */
export function readExpected(comment: string): Expected | undefined {
  let rest = comment.trimStart();
  if (!/^(?:[[{"]|-?\d|(?:true|false|null|undefined|NaN)\b)/.test(rest)) return undefined;

  const take = (pattern: RegExp): string | undefined => {
    const found = new RegExp(`^\\s*(?:${pattern.source})`).exec(rest)?.[0];
    if (found !== undefined) rest = rest.slice(found.length);
    return found?.trim();
  };
  const expect = (pattern: RegExp): string => {
    const found = take(pattern);
    if (found === undefined) throw new SyntaxError(`${pattern.source} is missing before: ${rest}`);
    return found;
  };

  const value = (): Expected => {
    if (take(/\{/)) return object();
    if (take(/\[/)) return list();
    if (take(/…/)) return () => true;
    const text = take(/"(?:[^"\\]|\\.)*"/);
    if (text) return withGaps(JSON.parse(text));
    const number = take(/-?\d+(?:\.\d+)?(?:e-?\d+)?…/);
    if (number) return (given) => typeof given === "number" && String(given).startsWith(number.slice(0, -1));
    const word = expect(/-?\d+(?:\.\d+)?(?:e-?\d+)?|true|false|null|undefined|NaN/);
    const constant = word === "undefined" ? undefined : word === "NaN" ? Number.NaN : JSON.parse(word);
    return (given) => Object.is(given, constant);
  };

  const object = (): Expected => {
    const fields = new Map<string, Expected>();
    let isOpen = false;
    while (!take(/\}/)) {
      if (take(/…/)) isOpen = true;
      else {
        const key = expect(/"[^"]*"|[\w$]+/).replaceAll('"', "");
        fields.set(key, take(/:/) ? value() : () => true);
      }
      if (!take(/,/)) {
        expect(/\}/);
        break;
      }
    }
    return (given) => {
      if (typeof given !== "object" || given === null || Array.isArray(given)) return false;
      const keys = Object.keys(given).filter((key) => (given as any)[key] !== undefined);
      if (!isOpen && keys.some((key) => !fields.has(key))) return false;
      return Array.from(fields).every(([key, matches]) => keys.includes(key) && matches((given as any)[key]));
    };
  };

  const list = (): Expected => {
    const items: Expected[] = [];
    let isOpen = false;
    while (!take(/\]/)) {
      if (take(/…/)) isOpen = true;
      else items.push(value());
      if (!take(/,/)) {
        expect(/\]/);
        break;
      }
    }
    return (given) =>
      Array.isArray(given) &&
      (isOpen ? given.length >= items.length : given.length === items.length) &&
      items.every((matches, i) => matches(given[i]));
  };

  return value();
}

/** Whether a text is the expected one, with `…` for anything in between. */
function withGaps(expected: string): Expected {
  const parts = expected.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join("[\\s\\S]*")}$`);
  return (given) => typeof given === "string" && pattern.test(given);
}

/** Whether the output equals a comment, ignoring white space. */
export function isPrinted(calls: unknown[][], comment: string): boolean {
  const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  const printed = plain(calls.map((args) => format(...args)).join("\n"));
  if (withGaps(plain(comment))(printed)) return true;
  const [args] = calls;
  return calls.length === 1 && args?.length === 1 && readExpected(comment)?.(args[0]) === true;
}
