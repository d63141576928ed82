/** Loads optional packages. Only runtimes with packages have the import, since others reject files with one. */

export type LoadPackage = (name: string) => Promise<unknown>;

let load: LoadPackage | undefined;

/** Sets how packages are loaded. Runtimes that have packages call it. */
export function loadPackagesWith(loader: LoadPackage): void {
  load = loader;
}

/** Loads a package by its name. Rejects if it is not installed, or if the runtime has no packages. */
export async function loadPackage(name: string): Promise<unknown> {
  if (!load) throw new Error("This runtime loads no packages");
  return load(name);
}
