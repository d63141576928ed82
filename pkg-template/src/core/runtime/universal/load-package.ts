/** Imports an optional package. A separate file, because Metro rejects such an import and `browser` in the manifest excludes it. */
export async function loadPackage(name: string): Promise<unknown> {
  // If the application uses CommonJS, packages are required if possible, since Jest has its own instance for tests.
  const moduleRequire = (import.meta as { moduleRequire?: (name: string) => unknown }).moduleRequire;
  if (!moduleRequire || Reflect.get(globalThis, USES_IMPORTS)) return import(name);
  try {
    return moduleRequire(name);
  } catch (error) {
    if ((error as { code?: string }).code === "MODULE_NOT_FOUND") throw error;
    return import(name);
  }
}

/** Set by the ES modules for Node (`xtask/javascript/node-entries.mjs`). */
const USES_IMPORTS = Symbol.for("openevals-wasm.imports");
