/** What Jenkins takes for JUnit's XML, as the schema of its xUnit plugin (junit-10.xsd) has it: elements, attributes, numbers. */
import { SaxesParser } from "saxes";

interface Element {
  attributes: Record<string, string>;
  children: { name: string; element: Element }[];
  text: string;
}

/** What may stand in an element, and which attributes it has; those with `!` have to be there. */
const GRAMMAR: Record<string, { attributes: string[]; children: string[]; hasText?: true }> = {
  testsuites: { attributes: ["name", "time", "tests", "failures", "errors"], children: ["testsuite"] },
  testsuite: {
    attributes: [
      ...["name!", "tests!", "failures!", "errors!", "group", "time", "skipped", "timestamp"],
      ...["hostname", "id", "package", "file", "log", "url"],
    ],
    children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
  },
  testcase: {
    attributes: ["name!", "time", "classname", "group"],
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  skipped: { attributes: ["type", "message"], children: [], hasText: true },
  error: { attributes: ["type", "message"], children: [], hasText: true },
  failure: { attributes: ["type", "message"], children: [], hasText: true },
};
/** As its pattern for times. */
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

export interface Suite {
  name: string;
  cases: { name: string; kind?: string; message?: string; text?: string }[];
}

/** Reads it; throws for what is no XML, and for what that schema does not have, counts that are wrong included. */
export function readJUnit(xml: string): Suite[] {
  const root = parse(xml);
  const [top] = root.children;
  if (root.children.length !== 1 || top?.name !== "testsuites")
    throw new Error("the root has to be testsuites");
  const suites = top.element.children.map(({ element }) => {
    const cases = element.children.map(({ element: { attributes, children } }) => {
      const [found] = children;
      if (children.length > 1) throw new Error("a test has several results");
      const said = found && {
        kind: found.name,
        message: found.element.attributes.message,
        text: found.element.text,
      };
      return { name: attributes.name as string, ...said };
    });
    checkCounts(element.attributes, cases);
    return { name: element.attributes.name as string, cases };
  });
  checkCounts(
    top.element.attributes,
    suites.flatMap(({ cases }) => cases),
  );
  return suites as Suite[];
}

function parse(xml: string): Element {
  const root: Element = { attributes: {}, children: [], text: "" };
  const open: Element[] = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element: Element = { attributes: attributes as Record<string, string>, children: [], text: "" };
    check(name, element.attributes);
    open.at(-1)?.children.push({ name, element });
    open.push(element);
  });
  parser.on("text", (text) => {
    (open.at(-1) as Element).text += text;
  });
  parser.on("closetag", ({ name }) => {
    const { children, text } = open.pop() as Element;
    const { children: allowed, hasText } = GRAMMAR[name] as (typeof GRAMMAR)[string];
    const stranger = children.find((child) => !allowed.includes(child.name));
    if (stranger) throw new Error(`${name} has a ${stranger.name}`);
    if (!hasText && text.trim()) throw new Error(`${name} has the text ${text}`);
  });
  parser.write(xml).close();
  return root;
}

function check(name: string, attributes: Record<string, string>): void {
  const grammar = GRAMMAR[name];
  if (!grammar) throw new Error(`there is no element ${name}`);
  const known = grammar.attributes.map((attribute) => attribute.replace("!", ""));
  const stranger = Object.keys(attributes).find((attribute) => !known.includes(attribute));
  if (stranger) throw new Error(`${name} has the attribute ${stranger}`);
  const missing = grammar.attributes.find((one) => one.endsWith("!") && !(one.slice(0, -1) in attributes));
  if (missing) throw new Error(`${name} lacks the attribute ${missing}`);
  if (attributes.time !== undefined && !TIME.test(attributes.time))
    throw new Error(`the time ${attributes.time}`);
}

function checkCounts(
  attributes: Record<string, string>,
  cases: readonly { kind?: string | undefined }[],
): void {
  const kinds = { failures: "failure", errors: "error", skipped: "skipped" };
  const wanted: Record<string, number> = { tests: cases.length };
  for (const [name, kind] of Object.entries(kinds))
    wanted[name] = cases.filter((one) => one.kind === kind).length;
  for (const [name, count] of Object.entries(wanted))
    if (attributes[name] !== undefined && Number(attributes[name]) !== count)
      throw new Error(`${name} is ${attributes[name]}, and there are ${count}`);
}
