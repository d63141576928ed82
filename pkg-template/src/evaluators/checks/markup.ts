/** Checks of languages whose parsers are optional packages. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { withoutStop } from "../../core/full-stop.js";
import { aFlag, aString, check, checkOptions, type OptionChecks, show } from "../../core/input/checks.js";
import { whole } from "../../core/input/counts.js";
import { callUserFunction } from "../../core/user-function.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
} from "./check.js";
import { packageOf } from "./packages.js";
import { textIn } from "./text.js";

/** Returns the problem of a text, or `undefined` if it is valid. */
export type FindTextProblem = (text: string) => string | undefined | Promise<string | undefined>;

/** The part of the package `saxes` that is used. */
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

/** The part of the package `parse5` that is used. */
export interface Parse5Module {
  parse(html: string, options: HtmlOptions): unknown;
  parseFragment(html: string, options: HtmlOptions): unknown;
}

interface HtmlOptions {
  onParseError: (error: { code: string; startLine: number; startCol: number }) => void;
  sourceCodeLocationInfo: boolean;
}

/** A node of the tree that `parse5` returns. */
interface HtmlNode {
  tagName?: string;
  namespaceURI?: string;
  childNodes?: readonly HtmlNode[];
  content?: HtmlNode;
  sourceCodeLocation?: { startLine: number; startCol: number; startTag?: object; endTag?: object } | null;
}

/** The part of the package `node-sql-parser` that is used. */
export interface SqlParserModule {
  Parser: new () => { astify(sql: string, options: { database: string }): unknown };
}

/** The options of {@link validXml}. */
export interface ValidXmlOptions extends OutputCheckOptions {
  /** The package `saxes`, or a function that returns what is wrong; by default, the installed package. */
  parser?: SaxesModule | FindTextProblem | undefined;
  /** Whether the text may be a fragment, with several root elements or none; `false` by default. */
  fragment?: boolean | undefined;
}

/** The options of {@link validHtml}. */
export interface ValidHtmlOptions extends OutputCheckOptions {
  /** The package `parse5`, or a function that returns what is wrong; by default, the installed package. */
  parser?: Parse5Module | FindTextProblem | undefined;
  /**
   * Whether the text is a fragment instead of a document with a doctype; by default, `false` if it begins with
   * `<!doctype` or `<html`, otherwise `true`.
   */
  fragment?: boolean | undefined;
}

/** The options of {@link validSql}. */
export interface ValidSqlOptions extends OutputCheckOptions {
  /** The package `node-sql-parser`, or a function that returns what is wrong; by default, the installed package. */
  parser?: SqlParserModule | FindTextProblem | undefined;
  /** The SQL dialect, by its name in `node-sql-parser`; `PostgreSQL` by default. */
  database?: string | undefined;
}

const aParser = (name: string, member: string) =>
  check(`the package ${name}, or a function`, (value) => {
    return typeof value === "function" || typeof value[member] === "function";
  });

const XML_OPTIONS: OptionChecks<ValidXmlOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  parser: aParser("saxes", "SaxesParser"),
  fragment: aFlag,
};
const HTML_OPTIONS: OptionChecks<ValidHtmlOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  parser: aParser("parse5", "parseFragment"),
  fragment: aFlag,
};
const SQL_OPTIONS: OptionChecks<ValidSqlOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  parser: aParser("node-sql-parser", "Parser"),
  database: aString,
};

/** Limits the nesting of elements, since the parser searches all open elements for each namespace. */
const MAX_DEPTH = 1_000;

/**
 * Makes a check that a text is well-formed XML, including its namespaces. The package `saxes` parses it. The text is
 * not validated against a schema or a DTD. Elements nested deeper than 1,000 levels fail.
 *
 * @returns A check with the key `valid_xml`. The comment names the place of the first error.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_config` if
 * `saxes` is not installed, and `callback_failed` if your `parser` throws.
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
      if (depth > MAX_DEPTH) throw new Error(`its elements are nested deeper than ${whole(MAX_DEPTH)}`);
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
  return packageCheck("validXml", "valid_xml", "saxes", "well-formed XML", read, problemOf);
}

/**
 * Makes a check that a text is HTML without syntax errors, such as a broken tag, a duplicate attribute, an unknown
 * entity or a missing end tag. The package `parse5` parses it. Unknown elements and attributes, wrong nesting and
 * surplus end tags are not reported.
 *
 * @returns A check with the key `valid_html`. The comment names the first error, by its code in the HTML standard if it
 * has one.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_config` if
 * `parse5` is not installed, and `callback_failed` if your `parser` throws.
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
  return packageCheck("validHtml", "valid_html", "parse5", "valid HTML", read, problemOf);
}

/**
 * Makes a check that a text is syntactically valid SQL. The package `node-sql-parser` parses it; pass `parser` to use
 * another one, such as PostgreSQL's own. Tables and columns are not checked.
 *
 * `node-sql-parser` blocks the event loop, and needs exponential time for a text with an error: longer with each level
 * of nested parentheses, `SELECT`, `CASE` or `CAST`. So texts are limited to 50,000 characters and 7 levels (`CAST`
 * counts as two, function calls do not count). The check throws `invalid_input` beyond that, instead of a verdict on
 * the text.
 *
 * @returns A check with the key `valid_sql`. The comment names the first error.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_config` if
 * `node-sql-parser` is not installed, `invalid_input` for a text that is too long or too deeply nested for it, and
 * `callback_failed` if your `parser` throws.
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
      // The parser's own message lists hundreds of characters that it expected.
      if (error instanceof RangeError) throw beyondLimits("The text is nested too deeply", error);
      if (!location)
        throw new OpenEvalsError("invalid_config", `validSql: ${reasonOf(error)}`, { cause: error });
      const { line, column } = location.start;
      return `${line}:${column}: ${found == null ? "it breaks off" : `${show(found)} is not expected there`}`;
    }
  };
  return packageCheck("validSql", "valid_sql", "node-sql-parser", "SQL", read, problemOf);
}

/** The limits for `node-sql-parser`: see {@link validSql}. */
const MAX_SQL_LENGTH = 50_000;
const MAX_SQL_DEPTH = 7;

const SQL_TOKENS =
  /'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\p{L}\p{N}_$]+|[^\s]/gu;
const BEFORE_EXPRESSION =
  /^(?:and|between|by|else|having|like|not|on|or|returning|select|set|then|when|where)$/i;

/** Rejects a text that could take the parser minutes. */
function checkCost(text: string): void {
  if (text.length > MAX_SQL_LENGTH)
    throw beyondLimits(
      `The text has ${whole(text.length)} characters, and more than ${whole(MAX_SQL_LENGTH)} take too long`,
    );
  // The open parentheses; the first entry is the text around them.
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
      // An error within CAST costs more than one elsewhere.
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
    } // The next SELECT is beside the last one, not in it.
    else if (/^(?:;|union|intersect|except)$/.test(word)) inner.levels = inner.cases = 0;
    if (!isEnd) depth += inner.levels - before;
    last = token;
    if (depth > MAX_SQL_DEPTH)
      throw beyondLimits(
        `The text has more than ${MAX_SQL_DEPTH} levels of SELECT, CASE, BEGIN and brackets`,
      );
  }
}

const beyondLimits = (problem: string, cause?: unknown): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_input",
    `${problem} for node-sql-parser, so validSql cannot tell whether it is SQL. Pass your own parser.`,
    { cause },
  );

/** Elements that need no end tag. */
const MAY_BE_OPEN =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|html|head|body|p|li|d[td]|r[tp]|opt(?:ion|group)|colgroup|caption|t(?:head|body|foot|r|d|h))$/;

/** The first element without the end tag that it needs; the HTML standard has no error code for it. */
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

/** Makes a check that calls the user's function or, by default, a package. */
function packageCheck<Module extends object>(
  name: string,
  key: string,
  packageName: string,
  what: string,
  options: OutputCheckOptions & { parser?: Module | FindTextProblem | undefined },
  problemOf: (text: string, module: Module) => Promise<string | undefined>,
): Check {
  const { parser, output } = options;
  const findProblem = typeof parser === "function" ? (parser as FindTextProblem) : undefined;
  const module = packageOf(
    name,
    packageName,
    "parser",
    findProblem ? undefined : (parser as Module | undefined),
  );
  const find = async ({ outputs }: CheckedRow): Promise<Finding> => {
    const text = textIn(outputs, output);
    const found = findProblem
      ? await callUserFunction(`parser of ${name}`, () => findProblem(text))
      : await problemOf(text, await module());
    const comment = `The text is ${found ? `not ${what}: ${withoutStop(found)}` : what}`;
    return { holds: !found, comment };
  };
  return makeCheck({ name, key, find }, options);
}
