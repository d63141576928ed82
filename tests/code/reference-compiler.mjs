/** TypeScript 5 for the reference, which parses the standard library for each call. This does it once. */
import typescript from "typescript5";

const parsed = new Map();

/** The reference passes the same options each time. */
function createProgram(roots, options) {
  const host = typescript.createCompilerHost(options);
  const getSourceFile = (path, ...rest) => {
    if (!path.includes("/node_modules/")) return host.getSourceFile(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  return typescript.createProgram(roots, options, { ...host, getSourceFile });
}

export default { ...typescript, createProgram };
