/** The process that the program is. */

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
    write(text: string): unknown;
    once(event: "error", listener: (error: Error) => void): unknown;
  };
  stderr: { write(text: string): unknown };
  exitCode?: number;
  setSourceMapsEnabled(are: boolean): void;
  cwd(): string;
  once(event: "SIGINT", listener: () => void): unknown;
}

export const { process } = globalThis as unknown as { process: NodeProcess };

/** Writes a result, which goes to standard output. */
export const print = (text: string): void => void process.stdout.write(text);
