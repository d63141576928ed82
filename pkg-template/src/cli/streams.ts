/** The process that the program is. */

interface NodeProcess {
  argv: string[];
  execPath: string;
  env: Record<string, string | undefined>;
  stdout: {
    isTTY?: boolean;
    columns?: number;
    write(text: string): unknown;
    once(event: "error", listener: (error: Error) => void): unknown;
  };
  stderr: { write(text: string): unknown };
  exitCode?: number;
  cwd(): string;
  once(event: "SIGINT", listener: () => void): unknown;
}

export const { process } = globalThis as unknown as { process: NodeProcess };

/** Writes a result, which goes to standard output. */
export const print = (text: string): void => void process.stdout.write(text);
