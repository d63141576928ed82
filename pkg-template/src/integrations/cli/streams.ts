/** The process that the program is. */

import { fenced } from "./workflow-commands.js";

interface NodeProcess {
  argv: string[];
  execPath: string;
  platform: string;
  versions: { node: string };
  /** Whether it reads TypeScript; newer than some of its versions. */
  features: { typescript?: string | false };
  env: Record<string, string | undefined>;
  stdout: {
    isTTY?: boolean;
    columns?: number;
    write(text: string, written?: () => void): unknown;
    once(event: "error", listener: (error: Error) => void): unknown;
  };
  stderr: { isTTY?: boolean; write(text: string): unknown };
  exitCode?: number;
  setSourceMapsEnabled(are: boolean): void;
  cwd(): string;
  exit(code: number): never;
  once(event: "SIGINT", listener: () => void): unknown;
  on(event: string, listener: (...args: any[]) => void): unknown;
  off(event: string, listener: (...args: any[]) => void): unknown;
}

export const { process } = globalThis as unknown as { process: NodeProcess };

/** Writes a result, which goes to standard output. */
export const print = (text: string): void => void process.stdout.write(fenced(text));

/** Writes commands for GitHub's runners. */
export const command = (text: string): void => void process.stdout.write(text);
