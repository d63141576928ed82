/** `node describe-exports.cjs FILE...` prints what each CommonJS module exports: names, and which are functions with which fields. */

const BUILT_IN = ["length", "name", "prototype"];

function described(name, value) {
  const isFunction =
    typeof value === "function" && !Function.prototype.toString.call(value).startsWith("class");
  if (!isFunction || name === "default") return { name, kind: "value", fields: [] };
  return { name, kind: "function", fields: Object.keys(value).filter((field) => !BUILT_IN.includes(field)) };
}

const files = process.argv.slice(2).map((file) => {
  const exported = require(file);
  return Object.keys(exported).map((name) => described(name, exported[name]));
});
process.stdout.write(JSON.stringify(files));
