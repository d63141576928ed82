/**
 * Rewrites a pattern for the flag `u`, which makes characters code points but allows less. Unambiguous forms are
 * converted: `\@` and `\-`, literal braces, and `-` next to a class within a class.
 */
export function withCodePoints(pattern: string): string {
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch (error) {
    const strict = pattern.replace(
      /\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|[{}\]]/gsu,
      (part) => {
        if (/^[{}\]]$/.test(part)) return `\\${part}`;
        return part.startsWith("[") ? strictClass(part) : unescaped(part);
      },
    );
    try {
      new RegExp(strict, "u");
    } catch {
      throw error;
    }
    return strict;
  }
}

const strictClass = (source: string): string =>
  source.replace(/(-?)(\\(?:[pPu]\{[^}]*\}|.))(-(?!\]))?/gsu, (_, before, part, behind = "") => {
    const dash = /^\\[dswp]/i.test(part) ? "\\-" : "-";
    return (before && dash) + (part === "\\-" ? part : unescaped(part)) + (behind && dash);
  });

/** Removes an escape that the flag `u` forbids. Escaped letters remain, since they may have another meaning. */
const unescaped = (source: string): string => source.replace(/^\\(_|[^\w^$\\.*+?()[\]{}|/])$/su, "$1");
