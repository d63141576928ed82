/**
 * Missing keys and addresses, found before anything runs: models know by a symbol how to check themselves, and evaluators
 * pass the question on to theirs. A symbol, since there may be two copies of this package.
 */

/** @internal */
export const CHECK_ACCESS = /* @__PURE__ */ Symbol.for("openevals-wasm.checkAccess");

/**
 * Refuses a model whose key or address is missing, and what asks such a model; accepts everything else. Nothing is sent.
 *
 * @internal
 */
export async function checkAccess(part: unknown): Promise<void> {
  await (Object(part) as { [CHECK_ACCESS]?: () => Promise<void> })[CHECK_ACCESS]?.();
}

/**
 * An evaluator that asks the models of these parts.
 *
 * @internal
 */
export const withAccessOf = <Whole extends object>(whole: Whole, parts: readonly unknown[]): Whole =>
  Object.assign(whole, {
    async [CHECK_ACCESS]() {
      for (const part of parts) await checkAccess(part);
    },
  });
