/**
 * A pattern as it is written with the flag `u`, which makes characters of code points. Without it, more is allowed; of
 * that, what can mean only one thing is taken: `\@` and `\-`, braces that count nothing, and `-` beside a class in a class.
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

/** What an escape stands for that only patterns without the flag have; letters may be meant to be something else. */
const unescaped = (source: string): string => source.replace(/^\\(_|[^\w^$\\.*+?()[\]{}|/])$/su, "$1");
