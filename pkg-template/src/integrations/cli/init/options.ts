import { flag, type Values } from "../arguments/options.js";
import { JSON_RESULT } from "../arguments/shared-options.js";

export const INIT = {
  ci: flag("also writes a workflow for GitHub Actions, .github/workflows/evals.yml"),
  agents: flag(
    "points coding agents to the skill of this package, with a section in AGENTS.md; installs and runs nothing",
  ),
  ...JSON_RESULT,
};

export type InitValues = Values<typeof INIT>;
