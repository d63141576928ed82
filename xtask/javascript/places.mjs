/** Where modules are published, and how they import each other there. */

import { posix } from "node:path";
import { groupOf } from "./groups.mjs";
import { replaced } from "./syntax.mjs";

/** The published folder, relative to the repository. */
export const DIST = "pkg/dist";

/** A path without `.js` or `.ts`. */
export const withoutEnding = (name) => name.replace(/\.[jt]s$/, "");

/** The modules that locate a binary. Their names are kept: an application in a single file finds the binary next to it. */
const LOCATORS = /^core\/runtime\/universal\/(?:scores|find-judges|agents|metrics|statistics)$/;

/** The published file of a source. */
export const placeOf = (name) =>
  LOCATORS.test(name)
    ? `${DIST}/find-${posix.basename(name).replace("find-", "")}.js`
    : `${DIST}/modules/${groupOf.get(name) ?? name}.js`;

/** Binaries, and their copies in JavaScript. Sources import them from beside themselves; they are published in `dist/`. */
const BINARY = /^\.\/openevals[\w-]*(?:\.wasm(?:\?module)?|-wasm-base64\.js)$/;

/** The code of the source `name` with its import paths adapted to the published files. */
export const withPublishedPaths = (name, code) =>
  replaced(code, ({ type, value }) => {
    if (type !== "Literal" || !/^\.\.?\/.*\.(?:js|wasm|wasm\?module)$/.test(value)) return undefined;
    const target = BINARY.test(value)
      ? `${DIST}/${value.slice(2)}`
      : placeOf(withoutEnding(posix.join(posix.dirname(name), value)));
    const found = posix.relative(posix.dirname(placeOf(name)), target);
    return JSON.stringify(found.startsWith(".") ? found : `./${found}`);
  });
