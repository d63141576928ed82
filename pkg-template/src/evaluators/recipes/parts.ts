/** Streams results in parts. */

/** Reports a part of a result. Resolves once it has been consumed: to `true` if no more are wanted. */
export type Report<Part> = (part: Part) => Promise<boolean>;

/**
 * Yields the parts that `run` reports, and returns its result. `run` continues when the next part is requested, and
 * stops when the generator does; its error follows the parts reported before it.
 *
 * @internal
 */
export async function* inParts<Part, Result>(
  run: (report: Report<Part>) => Promise<Result>,
): AsyncGenerator<Part, Result, undefined> {
  const waiting: { part: Part; taken: (stop: boolean) => void }[] = [];
  let somethingHappened = () => {};
  let isOver = false;
  const result = run(
    (part) =>
      new Promise((taken) => {
        waiting.push({ part, taken });
        somethingHappened();
      }),
  );
  const over = () => {
    isOver = true;
    somethingHappened();
  };
  result.then(over, over);
  try {
    for (;;) {
      const [next] = waiting;
      if (next) {
        yield next.part;
        waiting.shift();
        next.taken(false);
      } else if (isOver) {
        return await result;
      } else {
        await new Promise<void>((resolve) => {
          somethingHappened = resolve;
        });
      }
    }
  } finally {
    for (const { taken } of waiting) taken(true);
  }
}
