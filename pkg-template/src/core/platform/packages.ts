/** Loads optional packages. Only runtimes with packages have the import, since others reject files with one. */

export type LoadPackage = (name: string) => Promise<unknown>;

let load: LoadPackage | undefined;

/** Loads a package. Set by runtimes that have packages. */
export function loadWith(loader: LoadPackage): void {
  load = loader;
}

/** A package, by its name. Rejects if it is not installed, or the runtime has no packages. */
export async function loaded(name: string): Promise<unknown> {
  if (!load) throw new Error("This runtime loads no packages");
  return load(name);
}
