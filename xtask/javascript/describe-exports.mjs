/** `node describe-exports.mjs FILE...` prints what each module exports: names, and for functions their own names and fields. */

import { pathToFileURL } from "node:url";

const BUILT_IN = ["length", "name", "prototype"];

function described(name, value) {
  const isFunction =
    typeof value === "function" && !Function.prototype.toString.call(value).startsWith("class");
  if (!isFunction || name === "default") return { name, kind: "value" };
  const fields = Object.keys(value).filter((field) => !BUILT_IN.includes(field));
  return { name, kind: "function", ownName: value.name, fields };
}

const files = [];
for (const file of process.argv.slice(2)) {
  const exported = await import(pathToFileURL(file));
  files.push(Object.keys(exported).map((name) => described(name, exported[name])));
}
process.stdout.write(JSON.stringify(files));
