/** The rejections that nothing handles, during some work and in the turn of the event loop after it. */
export async function unhandledIn(work: () => Promise<unknown>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    await work();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", note);
  }
  return unhandled;
}
