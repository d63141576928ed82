/** Which commit is evaluated: from git, or from what services of continuous integration say. Without either, nothing is. */

import { execFile } from "node:child_process";
import { process } from "../streams.js";

export interface Commit {
  commit?: string;
  branch?: string;
}

/** Variables with the commit and the branch: of GitHub, GitLab, Jenkins, CircleCI, Bitbucket and Buildkite. */
const COMMITS = [
  "GITHUB_SHA",
  "CI_COMMIT_SHA",
  "GIT_COMMIT",
  "CIRCLE_SHA1",
  "BITBUCKET_COMMIT",
  "BUILDKITE_COMMIT",
];
const BRANCHES = [
  ...["GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "GIT_BRANCH", "CIRCLE_BRANCH"],
  ...["BITBUCKET_BRANCH", "BUILDKITE_BRANCH"],
];

/** What is checked out goes before what a service says, but for the branch where there is none. */
export async function currentCommit(): Promise<Commit> {
  const commit = (await git("rev-parse", "HEAD")) ?? variable(COMMITS);
  const checkedOut = await git("rev-parse", "--abbrev-ref", "HEAD");
  const branch = checkedOut === undefined || checkedOut === "HEAD" ? variable(BRANCHES) : checkedOut;
  return { ...(commit !== undefined && { commit }), ...(branch !== undefined && { branch }) };
}

const variable = (names: readonly string[]): string | undefined =>
  names.map((name) => process.env[name]).find(Boolean);

/** What git says; nothing if there is no git, no repository, or no commit in it. */
const git = (...args: string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile("git", args, { cwd: process.cwd() }, (error, stdout) =>
      resolve(error ? undefined : stdout.trim() || undefined),
    );
  });
