/** Checks of languages that packages of others know. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { aFlag, aString, type Checks, check, checkOptions, show } from "../../core/input/checks.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
} from "./check.js";
import { called, packageOf } from "./packages.js";
import { textIn } from "./text.js";

/** Says what is wrong with a text; nothing where it is right. */
export type FindTextProblem = (text: string) => string | undefined | Promise<string | undefined>;

/** As much of the package `saxes` as is used. */
export interface SaxesModule {
  SaxesParser: new (options: {
    xmlns?: boolean;
    fragment?: boolean;
  }) => {
    on(event: "error", handler: (error: Error) => void): void;
    on(event: "opentag" | "closetag", handler: () => void): void;
    write(text: string): unknown;
    close(): unknown;
  };
}

/** As much of the package `parse5` as is used. */
export interface Parse5Module {
  parse(html: string, options: HtmlOptions): unknown;
  parseFragment(html: string, options: HtmlOptions): unknown;
}

interface HtmlOptions {
  onParseError: (error: { code: string; startLine: number; startCol: number }) => void;
  sourceCodeLocationInfo: boolean;
}

/** A node of the tree that `parse5` makes, as much of it as is looked at. */
interface HtmlNode {
  tagName?: string;
  namespaceURI?: string;
  childNodes?: readonly HtmlNode[];
  content?: HtmlNode;
  sourceCodeLocation?: { startLine: number; startCol: number; startTag?: object; endTag?: object } | null;
}

/** As much of the package `node-sql-parser` as is used. */
export interface SqlParserModule {
  Parser: new () => { astify(sql: string, options: { database: string }): unknown };
}

/** The options of {@link validXml}. */
export interface ValidXmlOptions extends OutputCheckOptions {
  /** The package `saxes`, or a function that says what is wrong; the package that is installed by default. */
  parser?: SaxesModule | FindTextProblem | undefined;
  /** Whether the text may be a part of a document, with several elements or none; `false` by default. */
  fragment?: boolean | undefined;
}

/** The options of {@link validHtml}. */
export interface ValidHtmlOptions extends OutputCheckOptions {
  /** The package `parse5`, or a function that says what is wrong; the package that is installed by default. */
  parser?: Parse5Module | FindTextProblem | undefined;
  /**
   * Whether the text is a part of a document, and not one with its doctype. By default, that is so unless it begins with
   * `<!doctype` or `<html`.
   */
  fragment?: boolean | undefined;
}

/** The options of {@link validSql}. */
export interface ValidSqlOptions extends OutputCheckOptions {
  /** The package `node-sql-parser`, or a function that says what is wrong; the package that is installed by default. */
  parser?: SqlParserModule | FindTextProblem | undefined;
  /** The database whose SQL it is, as `node-sql-parser` calls it; `PostgreSQL` by default. */
  database?: string | undefined;
}

const aParser = (name: string, member: string) =>
  check(`the package ${name}, or a function`, (value) => {
    return typeof value === "function" || typeof value[member] === "function";
  });

const XML_OPTIONS: Checks<ValidXmlOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  parser: aParser("saxes", "SaxesParser"),
  fragment: aFlag,
};
const HTML_OPTIONS: Checks<ValidHtmlOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  parser: aParser("parse5", "parseFragment"),
  fragment: aFlag,
};
const SQL_OPTIONS: Checks<ValidSqlOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  parser: aParser("node-sql-parser", "Parser"),
  database: aString,
};

/** No document has more elements open at once; the parser looks through all of them for a namespace. */
const DEEPEST = 1_000;

/**
 * Makes a check that a text is well-formed XML, with its namespaces, as the package `saxes` has it. It is not compared with a
 * schema or a DTD. Elements that are nested deeper than 1,000 fail.
 *
 * @returns A check with the key `valid_xml`; its comment says where the text is not.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work and, when the check is called, if there is no
 * `saxes`; `callback_failed` where a `parser` of one's own throws.
 *
 * @example
 * ```ts
 * import { validXml } from "openevals-wasm/checks";
 *
 * const { score, comment } = await validXml()({ outputs: "<a><b></a>" });
 * console.log(score, comment); // false The text is not well-formed XML: 1:10: unexpected close tag.
 * ```
 */
export function validXml(options: ValidXmlOptions = {}): Check {
  const read = checkOptions("validXml", options, XML_OPTIONS);
  const problemOf = async (text: string, { SaxesParser }: SaxesModule) => {
    let problem: string | undefined;
    const parser = new SaxesParser({ xmlns: true, fragment: read.fragment ?? false });
    parser.on("error", ({ message }) => {
      problem ??= message;
    });
    let depth = 0;
    parser.on("opentag", () => {
      depth++;
      if (depth > DEEPEST)
        throw new Error(`its elements are nested deeper than ${DEEPEST.toLocaleString("en")}`);
    });
    parser.on("closetag", () => {
      depth--;
    });
    try {
      parser.write(text);
      parser.close();
    } catch (error) {
      problem ??= reasonOf(error);
    }
    return problem;
  };
  return byPackage("validXml", "valid_xml", "saxes", "well-formed XML", read, problemOf);
}

/**
 * Makes a check that a text is HTML without errors of syntax, as the package `parse5` has it: no broken tag, no attribute
 * twice, no unknown entity; and no element that lacks an end tag it needs. Which elements and attributes there are, and what may
 * stand in which, is not looked at, nor are end tags of elements that are not open.
 *
 * @returns A check with the key `valid_html`; its comment names the first error, by its code in the standard where it has one.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work and, when the check is called, if there is no
 * `parse5`; `callback_failed` where a `parser` of one's own throws.
 *
 * @example
 * ```ts
 * import { validHtml } from "openevals-wasm/checks";
 *
 * const { score, comment } = await validHtml()({ outputs: "<p>Some <b>text</p>" });
 * console.log(score, comment); // false The text is not valid HTML: 1:9: the element b is not closed.
 * ```
 */
export function validHtml(options: ValidHtmlOptions = {}): Check {
  const read = checkOptions("validHtml", options, HTML_OPTIONS);
  const problemOf = async (text: string, { parse, parseFragment }: Parse5Module) => {
    let problem: string | undefined;
    const isFragment = read.fragment ?? !/^\s*<(?:!doctype|html)\b/i.test(text);
    const root = (isFragment ? parseFragment : parse)(text, {
      sourceCodeLocationInfo: true,
      onParseError: ({ code, startLine, startCol }) => {
        problem ??= `${startLine}:${startCol}: ${code}`;
      },
    });
    return problem ?? unclosedIn(root as HtmlNode);
  };
  return byPackage("validHtml", "valid_html", "parse5", "valid HTML", read, problemOf);
}

/**
 * Makes a check that a text is SQL that can be parsed, as the package `node-sql-parser` has it. Whether there are such tables and
 * columns is not known. With `parser`, another package can be asked: the parser of PostgreSQL itself, for one.
 *
 * `node-sql-parser` blocks the event loop: a text with an error takes it exponentially longer with each pair of nested
 * parentheses, `SELECT`, `CASE` or `CAST`. So it gets at most 50,000 characters, with at most 7 levels of them (`CAST` counts
 * as two, calls of functions do not count); the check throws `invalid_input` for more, which is no verdict on the text.
 *
 * @returns A check with the key `valid_sql`; its comment says what is wrong.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work and, when the check is called, if there is no
 * `node-sql-parser`; `invalid_input` for a text that is too long or too deeply nested for it; `callback_failed` where a
 * `parser` of one's own throws.
 *
 * @example
 * ```ts
 * import { validSql } from "openevals-wasm/checks";
 *
 * const { score } = await validSql({ database: "MySQL" })({ outputs: "SELECT `name` FROM `users` WHERE" });
 * console.log(score); // false
 * ```
 */
export function validSql(options: ValidSqlOptions = {}): Check {
  const read = checkOptions("validSql", options, SQL_OPTIONS);
  const { database = "PostgreSQL" } = read;
  const problemOf = async (text: string, { Parser }: SqlParserModule) => {
    if (!text.trim()) return "it is empty";
    checkCost(text);
    try {
      new Parser().astify(text, { database });
      return undefined;
    } catch (error) {
      const { location, found } = error as { location?: { start: Record<string, number> }; found?: unknown };
      // What might have come instead is a list of hundreds of characters.
      if (error instanceof RangeError) throw tooMuch("The text is nested too deeply", error);
      if (!location)
        throw new OpenEvalsError("invalid_config", `validSql: ${reasonOf(error)}`, { cause: error });
      const { line, column } = location.start;
      return `${line}:${column}: ${found == null ? "it breaks off" : `${show(found)} is not expected there`}`;
    }
  };
  return byPackage("validSql", "valid_sql", "node-sql-parser", "SQL", read, problemOf);
}

/** As much SQL as `node-sql-parser` gets, and so deeply nested: see {@link validSql}. */
const LONGEST_SQL = 50_000;
const DEEPEST_SQL = 7;

const SQL_TOKENS =
  /'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\p{L}\p{N}_$]+|[^\s]/gu;
const BEFORE_EXPRESSION =
  /^(?:and|between|by|else|having|like|not|on|or|returning|select|set|then|when|where)$/i;

/** Refuses a text for which the parser might take minutes. */
function checkCost(text: string): void {
  if (text.length > LONGEST_SQL)
    throw tooMuch(
      `The text has ${text.length.toLocaleString("en")} characters, and more than 50,000 take too long`,
    );
  // The parentheses that are open, and around them the text.
  const open = [{ levels: 0, cases: 0 }];
  let depth = 0;
  let last = "";
  for (const [token] of text.matchAll(SQL_TOKENS)) {
    if (/^(?:--|\/\*)/.test(token)) continue;
    const word = token.toLowerCase();
    const inner = open[open.length - 1] as { levels: number; cases: number };
    const before = inner.levels;
    const isEnd = token === ")" || token === "]";
    if (token === "(" || token === "[") {
      const isGroup = !/^[\p{L}\p{N}_$"`]/u.test(last) || BEFORE_EXPRESSION.test(last);
      // A broken CAST is worse than the rest.
      const levels = /cast$/i.test(last) ? 2 : Number(isGroup || /^(?:array|extract)$/i.test(last));
      open.push({ levels, cases: 0 });
      depth += levels;
    } else if (isEnd && open.length > 1) {
      open.pop();
      depth -= inner.levels;
    } else if (last === "(" && /^(?:select|with|values)$/.test(word))
      inner.levels = Number(word !== "values");
    else if (word === "select") inner.levels++;
    else if (word === "case" || word === "begin") {
      inner.levels++;
      inner.cases++;
    } else if (word === "end" && inner.cases) {
      inner.levels--;
      inner.cases--;
    } // The next SELECT stands beside the last one, not in it.
    else if (/^(?:;|union|intersect|except)$/.test(word)) inner.levels = inner.cases = 0;
    if (!isEnd) depth += inner.levels - before;
    last = token;
    if (depth > DEEPEST_SQL)
      throw tooMuch(`The text has more than ${DEEPEST_SQL} levels of SELECT, CASE, BEGIN and brackets`);
  }
}

const tooMuch = (problem: string, cause?: unknown): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_input",
    `${problem} for node-sql-parser, so validSql cannot tell whether it is SQL. Pass a parser of your own.`,
    { cause },
  );

/** Elements that need no end tag. */
const MAY_BE_OPEN =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|html|head|body|p|li|d[td]|r[tp]|opt(?:ion|group)|colgroup|caption|t(?:head|body|foot|r|d|h))$/;

/** The first element that needs an end tag, and has none: the standard has no code for it. */
function unclosedIn(root: HtmlNode): string | undefined {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { tagName, namespaceURI, sourceCodeLocation: place, content, childNodes = [] } = node;
    const isOpen = place?.startTag && !place.endTag && namespaceURI?.endsWith("/xhtml");
    if (isOpen && tagName && !MAY_BE_OPEN.test(tagName)) {
      return `${place.startLine}:${place.startCol}: the element ${tagName} is not closed`;
    }
    if (content) waiting.push(content);
    for (let index = childNodes.length - 1; index >= 0; index--) waiting.push(childNodes[index] as HtmlNode);
  }
  return undefined;
}

/** A check that asks a function of the caller's, or a package. */
function byPackage<Module extends object>(
  name: string,
  key: string,
  packageName: string,
  what: string,
  options: OutputCheckOptions & { parser?: Module | FindTextProblem | undefined },
  problemOf: (text: string, module: Module) => Promise<string | undefined>,
): Check {
  const { parser, output } = options;
  const own = typeof parser === "function" ? (parser as FindTextProblem) : undefined;
  const module = packageOf(name, packageName, "parser", own ? undefined : (parser as Module | undefined));
  const find = async ({ outputs }: CheckedRow): Promise<Finding> => {
    const text = textIn(outputs, output);
    const found = own
      ? await called(`parser of ${name}`, () => own(text))
      : await problemOf(text, await module());
    const says = `The text is ${found ? `not ${what}: ${found.replace(/\.$/, "")}` : what}`;
    return { holds: !found, says };
  };
  return makeCheck({ name, key, find }, options);
}
