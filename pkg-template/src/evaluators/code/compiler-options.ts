/** The compiler options for all versions of TypeScript. */

/** The virtual folder of the code. It has no parent with packages, so no import resolves by accident. */
export const FOLDER = "/openevals-wasm";
export const PACKAGE = '{ "type": "module" }';

/** The options as in a `tsconfig.json`. */
export function compilerOptions() {
  return {
    module: "nodenext",
    moduleResolution: "nodenext",
    target: "es2021",
    alwaysStrict: true,
    // The defaults of TypeScript 6 and 7 are strict and include no types.
    strict: false,
    types: ["*"],
    typeRoots: typeRoots(),
    skipLibCheck: true,
    noEmit: true,
  };
}

/** The folders of types that a script in the working directory would see, such as `@types/node`. */
function typeRoots(): string[] {
  const { process } = globalThis as { process?: { cwd?(): string } };
  const folders = process?.cwd?.().replaceAll("\\", "/").split("/") ?? [];
  return folders.map(
    (_, index) => `${folders.slice(0, folders.length - index).join("/")}/node_modules/@types`,
  );
}
