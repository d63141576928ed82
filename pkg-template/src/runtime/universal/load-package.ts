/** Loads a package of others. In a chunk of its own, since Vite leaves the binary out beside an import that it ignores. */
export const loadPackage = (name: string): Promise<unknown> => import(name);
