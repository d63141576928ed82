import { flag, type Values } from "../options.js";

export const INIT = {
  ci: flag("also writes a workflow for GitHub Actions, .github/workflows/evals.yml"),
};

export type InitOptions = Values<typeof INIT>;
