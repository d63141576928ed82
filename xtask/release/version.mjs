/** Checks the version number and the changelog for a release. */

const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[\w.]+)?$/;

const parts = (version) => VERSION.exec(version)?.slice(1, 4).map(Number);

/**
 * The reasons against releasing this version; empty if there are none. `last` is the last published version,
 * if any.
 */
export function versionProblems({ version, last, changelog }) {
  if (!parts(version)) return [`The version ${version} does not have the form 1.2.3.`];
  const sections = changelog.split(/^## /m).slice(1);
  const textOf = (name) => {
    const section = sections.find((one) => one.split(/\s/, 1)[0] === name);
    return section?.split("\n").slice(1).join("\n").trim();
  };
  const isLater = !last || compare(version, last) > 0;
  return [
    ...(isLater ? [] : [`The version ${version} does not come after ${last}, which is published.`]),
    ...(textOf("Unreleased")
      ? [`CHANGELOG.md has unreleased changes: rename their section to ${version}.`]
      : []),
    ...(textOf(version) ? [] : [`CHANGELOG.md says nothing about ${version}.`]),
  ];
}

function compare(a, b) {
  const [one, other] = [parts(a), parts(b)];
  const place = [0, 1, 2].find((index) => one[index] !== other[index]);
  return place === undefined
    ? Number(!a.includes("-")) - Number(!b.includes("-"))
    : one[place] - other[place];
}

/**
 * The kind of changes that the next version may contain: `breaking` changes, new `features`, or only fixes
 * (`patch`). Before 1.0.0, the second number is for breaking changes, as in npm's `^0.1.0`.
 */
export function rangeOf(last, version) {
  const [from, to] = [parts(last), parts(version)];
  const place = [0, 1, 2].find((index) => from[index] !== to[index]) ?? 2;
  const kinds = from[0] === 0 ? ["breaking", "breaking", "features"] : ["breaking", "features", "patch"];
  return kinds[place];
}
