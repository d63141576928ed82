/** Finds the commit under evaluation, from git or from the variables of a CI service. */

import { execFile } from "node:child_process";

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

/** The current commit, first from git. CI services check out a commit without a branch, so their variables name the branch. */
export async function currentCommit(): Promise<Commit> {
  const commit = (await git("rev-parse", "HEAD")) ?? variable(COMMITS);
  const checkedOut = await git("rev-parse", "--abbrev-ref", "HEAD");
  const branch = checkedOut === undefined || checkedOut === "HEAD" ? variable(BRANCHES) : checkedOut;
  return { ...(commit !== undefined && { commit }), ...(branch !== undefined && { branch }) };
}

const variable = (names: readonly string[]): string | undefined =>
  names.map((name) => process.env[name]).find(Boolean);

/** The output of git; `undefined` without git, a repository or a commit. */
const git = (...args: string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile("git", args, { cwd: process.cwd() }, (error, stdout) =>
      resolve(error ? undefined : stdout.trim() || undefined),
    );
  });
