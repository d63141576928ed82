/** What code is checked with, by TypeScript of every version. */

/** The folder of the code, in memory. Nothing is beside it, so no import leads to a package that happens to be there. */
export const FOLDER = "/openevals-wasm";
export const PACKAGE = '{ "type": "module" }';

/** What the code is checked with, as in a `tsconfig.json`; the same for all versions. */
export function compilerOptions() {
  return {
    module: "nodenext",
    moduleResolution: "nodenext",
    target: "es2021",
    alwaysStrict: true,
    // By default TypeScript 6 and 7 are strict, and look for no types.
    strict: false,
    types: ["*"],
    typeRoots: typeRoots(),
    skipLibCheck: true,
    noEmit: true,
  };
}

/** The types that a script in the working directory would see: `@types/node` above all. */
function typeRoots(): string[] {
  const { process } = globalThis as { process?: { cwd?(): string } };
  const folders = process?.cwd?.().replaceAll("\\", "/").split("/") ?? [];
  return folders.map(
    (_, index) => `${folders.slice(0, folders.length - index).join("/")}/node_modules/@types`,
  );
}
