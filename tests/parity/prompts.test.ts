/** The prebuilt prompts have the names and variables of the reference, and none of its wording. */
import * as ours from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { agentevals, openevals } from "./reference.ts";

type Prompts = Record<string, string>;

const promptsOf = (module: object): Prompts =>
  Object.fromEntries(Object.entries(module).filter(([name]) => /_PROMPT(_|$)/.test(name)));

const GRAPH = "GRAPH_TRAJECTORY_ACCURACY_PROMPT";
const prompts = promptsOf(ours);
const reference: Prompts = { ...promptsOf(openevals), [GRAPH]: promptsOf(agentevals)[GRAPH] as string };

it("the names are those of OpenEvals, and of AgentEvals for graphs", () => {
  expect(Object.keys(prompts).sort()).toEqual(Object.keys(reference).sort());
  expect(Object.keys(prompts)).toHaveLength(34);
});

const variablesOf = (prompt: string) =>
  [...new Set(prompt.replace(/\{\{|\}\}/g, "").match(/\{[^}]*\}/g))].sort();

it.each(Object.keys(prompts))("%s has the variables of the reference", (name) => {
  expect(variablesOf(prompts[name] as string)).toEqual(variablesOf(reference[name] as string));
});

describe("no eight consecutive words equal the reference's", () => {
  const shingles = (text: string) => {
    const words =
      text
        .replace(/<[^>]*>|\{[^}]*\}/g, " ")
        .toLowerCase()
        .match(/[a-z0-9']+/g) ?? [];
    return words.slice(7).map((_, start) => words.slice(start, start + 8).join(" "));
  };
  const theirs = new Set(
    [openevals, agentevals].flatMap((module) => Object.values(promptsOf(module)).flatMap(shingles)),
  );

  it.each(Object.entries(prompts))("in %s", (_, prompt) => {
    expect(shingles(prompt).length).toBeGreaterThan(100);
    expect(shingles(prompt).filter((words) => theirs.has(words))).toEqual([]);
  });
});
