/** `node describe-exports.mjs FILE...` prints what each module exports: the names, and which are functions with which fields. */

import { pathToFileURL } from "node:url";

const BUILT_IN = ["length", "name", "prototype"];

function described(name, value) {
  const isFunction =
    typeof value === "function" && !Function.prototype.toString.call(value).startsWith("class");
  if (!isFunction || name === "default") return { name, kind: "value", fields: [] };
  return { name, kind: "function", fields: Object.keys(value).filter((field) => !BUILT_IN.includes(field)) };
}

const files = [];
for (const file of process.argv.slice(2)) {
  const exported = await import(pathToFileURL(file));
  files.push(Object.keys(exported).map((name) => described(name, exported[name])));
}
process.stdout.write(JSON.stringify(files));
