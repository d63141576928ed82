/** The connection of a process to the MCP server that started it. */

/** The environment variable that marks such a process. */
export const MCP_CHILD = "OPENEVALS_WASM_MCP_CHILD";

/** The message with the progress. */
export interface ProgressMessage {
  done: number;
  total?: number;
}

export const isMcpChild = (): boolean => process.env[MCP_CHILD] !== undefined && process.send !== undefined;

/** The shortest time between two messages, in milliseconds. */
const STEP_MS = 100;

let sentAt = 0;
/** The rows of earlier experiments of this process, and those of the current one. */
let before = 0;
let current = 0;

/** Sends the progress to the server. */
export function sendProgress({ done, total }: ProgressMessage): void {
  if (done < current) before += current;
  current = done;
  if (!isMcpChild() || !process.connected || Date.now() - sentAt < STEP_MS) return;
  sentAt = Date.now();
  const message: ProgressMessage = {
    done: before + done,
    ...(total !== undefined && { total: before + total }),
  };
  process.send?.(message, () => {});
}

/** Ends this process when its server ends, even if the server is killed. */
export function endWithMcpServer(): void {
  if (!isMcpChild()) return;
  process.once("disconnect", () => process.exit(2));
  // Otherwise this process would wait for messages.
  process.channel?.unref();
}
