/** Workers as processes. */
import { spawn } from "node:child_process";
import { join } from "node:path";

export interface WorkerProcess {
  /** All that it has said, line by line. */
  lines: string[];
  /** Resolves when it says so, or has said so before. */
  says(pattern: RegExp): Promise<void>;
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** @param command The runtime, with its options. */
export function startWorker(env: Record<string, string>, command = [process.execPath]): WorkerProcess {
  const [program, ...args] = [...command, join(import.meta.dirname, "worker-process.mjs")] as [string];
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() as string;
    lines.push(...parts);
    for (const listener of listeners) listener();
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    lines,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (lines.some((line) => pattern.test(line))) resolve();
        };
        listeners.add(look);
        look();
        closed.then(() => reject(new Error(`The worker never said ${pattern}:\n${lines.join("\n")}`)));
      }),
    async end(signal) {
      child.kill(signal);
      await closed;
    },
  };
}
