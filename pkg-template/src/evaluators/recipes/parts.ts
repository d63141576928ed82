/** Results that come in parts. */

/** Gets a part of a result, and resolves once it is taken: to `true` if nobody wants more. */
export type Report<Part> = (part: Part) => Promise<boolean>;

/**
 * Yields the parts that are reported while something runs, and returns its result. It goes on when the next part is
 * asked for, and ends when the generator does; its error comes after the parts that there were.
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
