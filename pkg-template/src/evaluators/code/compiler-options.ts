/** The compiler options and the readable files for all versions of TypeScript. */

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
    // With it, code could import the package.json of a types package.
    resolveJsonModule: false,
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

/**
 * The paths on disk that a check may access: TypeScript's library, and the paths that a program without code accesses, such
 * as those of `@types/node`. So no import or reference in judged code reads another file.
 */
export class AllowedPaths {
  private readonly paths = new Set<string>();
  isLearning = true;

  /** Whether a check may access the path. Every path is allowed until {@link seal} is called. */
  has(path: string): boolean {
    if (this.isLearning) this.paths.add(path);
    return this.paths.has(path) || this.paths.has(path.replace(/[^/]*$/, "lib.es5.d.ts"));
  }

  /** Allows no other paths from now on: the program without code has been made. */
  seal(): void {
    this.isLearning = false;
  }
}
