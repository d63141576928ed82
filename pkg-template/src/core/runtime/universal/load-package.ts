/** Imports an optional package. A separate file, because Metro rejects such an import and `browser` in the manifest excludes it. */
export async function loadPackage(name: string): Promise<unknown> {
  // In CommonJS, packages are required if possible, since Jest has its own instance for tests.
  const moduleRequire = (import.meta as { moduleRequire?: (name: string) => unknown }).moduleRequire;
  if (!moduleRequire) return import(name);
  try {
    return moduleRequire(name);
  } catch (error) {
    if ((error as { code?: string }).code === "MODULE_NOT_FOUND") throw error;
    return import(name);
  }
}
