/** Streams results in parts. */

/** Reports a part of a result. Resolves when the consumer has read it: to `true` if the consumer wants no more. */
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
  const waiting: { part: Part; consumed: (stop: boolean) => void }[] = [];
  let wake = () => {};
  let isFinished = false;
  const result = run(
    (part) =>
      new Promise((consumed) => {
        waiting.push({ part, consumed });
        wake();
      }),
  );
  const finish = () => {
    isFinished = true;
    wake();
  };
  result.then(finish, finish);
  try {
    for (;;) {
      const [next] = waiting;
      if (next) {
        yield next.part;
        waiting.shift();
        next.consumed(false);
      } else if (isFinished) {
        return await result;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    for (const { consumed } of waiting) consumed(true);
  }
}
