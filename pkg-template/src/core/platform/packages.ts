/** Packages of others that are optional. Only runtimes that have packages name the import: the rest refuse files with one. */

export type LoadPackage = (name: string) => Promise<unknown>;

let load: LoadPackage | undefined;

/** For runtimes that have packages: how one is loaded. */
export function loadWith(loader: LoadPackage): void {
  load = loader;
}

/** A package, by its name. Rejects where it is not installed, or where nothing can be loaded. */
export async function loaded(name: string): Promise<unknown> {
  if (!load) throw new Error("This runtime loads no packages");
  return load(name);
}
