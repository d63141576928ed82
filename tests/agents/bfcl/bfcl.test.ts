/** The verdicts of bfcl-eval 2026.3.23 on its own rows and on changes of them, which `cases.py` has written. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createFunctionCallEvaluator, type FunctionCall } from "openevals-wasm/agents";
import { describe, expect, it } from "vitest";

/** Values are JSON text, in which 5 and 5.0 differ. */
type Texts = Record<string, string>;

type Change =
  | ["set", call: number, parameter: string, value: string]
  | ["delete", call: number, parameter: string]
  | ["name", call: number, name: string]
  | ["drop" | "repeat", call: number]
  | ["reverse"]
  | ["none"];

interface Row {
  id: string;
  tools: [name: string, types: Record<string, [type: string, items: string | null]>, required: string[]][];
  answers: [name: string, Texts][];
  first: [name: string, Texts][];
  changes: Change[];
  /** For the first calls and each change: 1 if its checker accepts them. */
  verdicts: string;
}

interface Cases {
  rows: Row[];
  relevance: { category: string; ids: string[]; expects: boolean }[];
}

const { rows, relevance }: Cases = JSON.parse(
  gunzipSync(readFileSync(new URL("cases.json.gz", import.meta.url))).toString("utf8"),
);

const textOf = (values: Texts): string =>
  `{${Object.entries(values)
    .map(([name, text]) => `${JSON.stringify(name)}: ${text}`)
    .join(", ")}}`;

const toolOf = ([name, types, required]: Row["tools"][number]) => ({
  name,
  parameters: {
    type: "dict",
    properties: Object.fromEntries(
      Object.entries(types).map(([name, [type, items]]) => [
        name,
        { type, ...(items && { items: { type: items } }) },
      ]),
    ),
    required,
  },
});

function changed(first: Row["first"], change: Change): Row["first"] {
  const calls = structuredClone(first);
  const [kind, at = 0] = change;
  const call = calls[at] as Row["first"][number];
  if (change[0] === "set") call[1][change[2]] = change[3];
  if (change[0] === "delete") delete call[1][change[2]];
  if (change[0] === "name") call[0] = change[2];
  if (kind === "drop") calls.splice(at, 1);
  if (kind === "repeat") calls.push(call);
  if (kind === "reverse") calls.reverse();
  return kind === "none" ? [] : calls;
}

const callsOf = (calls: Row["first"]): FunctionCall[] =>
  calls.map(([name, args]) => ({ name, args: textOf(args) }));

/** The categories of its Python rows, with their numbers of rows. */
const CATEGORIES = {
  simple_python: 400,
  multiple: 200,
  parallel: 200,
  parallel_multiple: 200,
  live_simple: 258,
  live_multiple: 1053,
  live_parallel: 16,
  live_parallel_multiple: 24,
};

describe('mode "bfcl"', () => {
  it.each(Object.entries(CATEGORIES))("has the verdicts of bfcl-eval: %s", async (category, count) => {
    const own = rows.filter(({ id }) => id.replace(/_\d+(-\d+-\d+)?$/, "") === category);
    expect(own).toHaveLength(count);
    const differing: unknown[] = [];
    for (const { id, tools, answers, first, changes, verdicts } of own) {
      const evaluator = createFunctionCallEvaluator({ tools: tools.map(toolOf), mode: "bfcl" });
      const referenceOutputs = answers.map(([name, values]) => ({ name, args: textOf(values) }));
      const all = [first, ...changes.map((change) => changed(first, change))];
      const results = await evaluator.batch(
        all.map((calls) => ({ outputs: callsOf(calls), referenceOutputs })),
      );
      expect(results).toHaveLength(11);
      results.forEach(({ score, comment }, index) => {
        if (score !== (verdicts[index] === "1"))
          differing.push({ id, change: changes[index - 1], score, comment });
      });
    }
    expect(differing).toEqual([]);
  });

  it.each(relevance)("judges relevance: $category", async ({ ids, expects }) => {
    const evaluator = createFunctionCallEvaluator({ tools: [], mode: "bfcl" });
    const referenceOutputs = expects ? ("any" as const) : [];
    const made = { outputs: [{ name: "f", args: "{}" }], referenceOutputs };
    const none = {
      outputs: [{ role: "assistant" as const, content: "I cannot do that." }],
      referenceOutputs,
    };
    for (const [row, score] of [
      [made, expects],
      [none, !expects],
    ] as const) {
      const results = await evaluator.batch(ids.map(() => row));
      expect(results.map((result) => result.score)).toEqual(ids.map(() => score));
    }
  });
});
