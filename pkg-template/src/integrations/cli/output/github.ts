/** Results for GitHub Actions: the job summary, annotations, and step outputs. */

import { appendFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { reasonOf } from "../../../core/errors.js";
import { visible } from "../../../core/terminal-text.js";
import { hasPassed, type Outcome } from "../../../presentation/outcome.js";
import { scalesIn } from "../../../presentation/reading.js";
import { verdictOf } from "../../../presentation/verdict.js";
import { CliError } from "../cli-error.js";
import { printData } from "./streams.js";

/** Prints annotations. On a runner, also appends the job summary as Markdown and the step outputs. */
export async function writeToGitHub(
  outcomes: readonly Outcome[],
  markdown: () => string,
  comment: string | undefined,
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output } = process.env;
  printData(
    outcomes
      .flatMap(annotationsOf)
      .map((line) => `${line}\n`)
      .join(""),
  );
  if (summary) await append("GITHUB_STEP_SUMMARY", summary, markdown());
  if (!output) return;
  const lines = [
    `passed=${outcomes.every(hasPassed)}`,
    ...(comment === undefined ? [] : [`comment=${comment.replaceAll(/[\r\n]/g, "")}`]),
  ];
  await append("GITHUB_OUTPUT", output, lines.map((line) => `${line}\n`).join(""));
}

/** Appends to a file that the environment names. */
async function append(variable: string, path: string, text: string): Promise<void> {
  try {
    await appendFile(path, text);
  } catch (error) {
    throw new CliError(`${path}, which ${variable} names, could not be written: ${reasonOf(error)}`);
  }
}

function annotationsOf({
  file,
  name,
  problems,
  mistake,
  comparisons = {},
  experiment,
  lowerIsBetter,
}: Outcome): string[] {
  const { GITHUB_WORKSPACE: workspace } = process.env;
  const path = workspace ? relative(workspace, resolve(file)) : file;
  const annotation = (kind: "error" | "notice", message: string) =>
    `::${kind} file=${property(path)},title=${property(name)}::${data(message)}`;
  const scaleOf = scalesIn(experiment ?? {}, { lowerIsBetter });
  const better = Object.entries(comparisons).flatMap(([key, comparison]) =>
    verdictOf(key, comparison, scaleOf) === "better" ? [annotation("notice", `${key} became better.`)] : [],
  );
  const errors = [...problems, ...(mistake === undefined ? [] : [mistake])];
  return [...errors.map((message) => annotation("error", message)), ...better];
}

/** Escapes the characters that runners decode; other control characters become visible. */
const data = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => visible(line).replaceAll("%", "%25"))
    .join("%0A");

const property = (text: string): string => data(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
