import { type AbortSignalLike, Deadline } from "./deadline.js";

/** Waits, unless the signal aborts. Never rejects. */
export async function pauseFor(ms: number, signal?: AbortSignalLike): Promise<void> {
  const deadline = new Deadline(ms, signal);
  await deadline.reached;
  deadline.stop();
}
