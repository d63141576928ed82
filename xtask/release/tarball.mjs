/** Inspects the package as it would be published. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { extname, join, relative, sep } from "node:path";
import { filesBelow, root } from "../run.mjs";

/** The files of the package, by the ends of their names. */
const EXTENSIONS = [".js", ".mjs", ".cjs", ".ts", ".cts", ".wasm", ".json", ".md", ".txt"];
const REQUIRED = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "THIRD-PARTY-NOTICES.txt"];
/** Scripts that npm runs when the package is installed. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];

/**
 * Paths of build machines: home folders, and the caches of compilers. `/home/user` and `/Users/me` are for
 * examples.
 */
const MACHINE_PATH =
  /(?:\/home\/(?!user\b|you\b)|\/Users\/(?!me\b|you\b)|\/root\/|[A-Z]:\\+Users\\+)[\w.-]+|\.cargo\/(?:registry|git)\/|\.rustup\/toolchains\//;

/** The reasons against publishing the package in a folder; empty if there are none. */
export function tarballProblems(folder) {
  const files = filesBelow(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = (file) => relative(folder, file).split(sep).join("/");
  return [
    ...REQUIRED.filter((file) => !existsSync(join(folder, file))).map((file) => `${file} is missing.`),
    ...files
      .filter((file) => !EXTENSIONS.includes(extname(file)) && named(file) !== "LICENSE")
      .map(
        (file) => `${named(file)} is not part of the package: its files end with ${EXTENSIONS.join(", ")}.`,
      ),
    ...dependencyProblems(manifest),
    ...licenceProblems(manifest, folder),
    ...exportProblems(manifest, folder),
    ...files.flatMap((file) => pathProblem(file, named(file))),
  ];
}

function dependencyProblems({ dependencies, optionalDependencies, bundleDependencies, ...manifest }) {
  const { peerDependencies = {}, peerDependenciesMeta = {}, scripts = {} } = manifest;
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...bundleDependencies });
  const required = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const run = INSTALL_SCRIPTS.filter((name) => scripts[name]);
  return [
    ...installed.map((name) => `It depends on ${name}; it may have no runtime dependencies.`),
    ...required.map((name) => `The peer dependency ${name} is not optional.`),
    ...run.map((name) => `It has the script ${name}, which npm would run on installation.`),
  ];
}

function licenceProblems({ license }, folder) {
  const file = join(folder, "LICENSE");
  if (license !== "MIT") return [`Its license is ${license}; it has to be MIT.`];
  const isSame =
    existsSync(file) && readFileSync(file, "utf8") === readFileSync(join(root, "LICENSE"), "utf8");
  return isSame ? [] : ["LICENSE differs from that of the repository."];
}

/** Files that the manifest names and the package lacks. */
function exportProblems({ exports, main, module, types, bin }, folder) {
  const named = new Set();
  JSON.stringify([exports, main, module, types, bin], (_, value) => {
    if (typeof value === "string") named.add(value);
    return value;
  });
  return [...named]
    .filter((file) => !existsSync(join(folder, file)))
    .map((file) => `package.json names ${file}, which is missing.`);
}

function pathProblem(file, name) {
  const text = readFileSync(file, "latin1");
  const own = [root, homedir()].find((place) => place.length > 1 && text.includes(`${place}${sep}`));
  const found = own ?? MACHINE_PATH.exec(text)?.[0];
  return found ? [`${name} contains a path of a build machine: ${found}`] : [];
}

/** The sizes of the package: its files, and their bytes unpacked and packed. */
export const tarballSizes = (folder, tarball) => {
  const files = filesBelow(folder);
  const unpacked = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { files: files.length, unpacked, packed: statSync(tarball).size };
};
