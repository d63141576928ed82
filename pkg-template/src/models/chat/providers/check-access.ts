/**
 * Finds missing keys and addresses before anything runs. Models and evaluators have a method with a symbol as its name,
 * because there may be two copies of this package.
 */

/** @internal */
export const CHECK_ACCESS = /* @__PURE__ */ Symbol.for("openevals-wasm.checkAccess");

/**
 * Throws if the key or the address of a model is missing, also for an evaluator with such a model. Sends nothing.
 *
 * @internal
 */
export async function checkAccess(part: unknown): Promise<void> {
  await (Object(part) as { [CHECK_ACCESS]?: () => Promise<void> })[CHECK_ACCESS]?.();
}

/**
 * Lets an evaluator check the models of its parts.
 *
 * @internal
 */
export const withAccessOf = <Whole extends object>(whole: Whole, parts: readonly unknown[]): Whole =>
  Object.assign(whole, {
    async [CHECK_ACCESS]() {
      for (const part of parts) await checkAccess(part);
    },
  });
