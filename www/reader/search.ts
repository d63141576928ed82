/** The search: every word has to begin a word of a section, and titles count most. */

/** A section of a chapter, as the build writes it to `search.json`. */
export interface Section {
  href: string;
  chapter: string;
  title: string;
  text: string;
}

export interface Found {
  section: Section;
  /** What stands around the first hit: whether a part is one, and the part. */
  excerpt: [boolean, string][];
}

const AROUND = 60;

/** The sections that have all the words, the best first. */
export function find(sections: readonly Section[], query: string): Found[] {
  const words = plain(query).match(/[\p{L}\p{N}_$]+/gu) ?? [];
  if (!words.length) return [];
  const patterns = words.map(
    (word) => new RegExp(`(?<![\\p{L}\\p{N}_$])${word.replaceAll("$", "\\$")}`, "gu"),
  );
  const ranked = sections.flatMap((section) => {
    const [title, text] = [plain(section.title), plain(section.text)];
    let rank = 0;
    for (const pattern of patterns) {
      const [inTitle, inText] = [title, text].map((where) => where.match(pattern)?.length ?? 0) as [
        number,
        number,
      ];
      if (!inTitle && !inText) return [];
      rank += 20 * inTitle + Math.min(inText, 8);
    }
    return [{ section, rank }];
  });
  ranked.sort((a, b) => b.rank - a.rank);
  return ranked.map(({ section }) => ({ section, excerpt: excerptOf(section.text, patterns) }));
}

function excerptOf(text: string, patterns: readonly RegExp[]): [boolean, string][] {
  const read = plain(text);
  const places = patterns
    .flatMap((pattern) =>
      Array.from(read.matchAll(pattern), ({ 0: hit, index }) => [index, index + hit.length] as const),
    )
    .sort(([a], [b]) => a - b);
  const first = places[0]?.[0] ?? 0;
  const start = Math.max(0, first - AROUND);
  const end = Math.min(text.length, first + 2 * AROUND);
  const parts: [boolean, string][] = [[false, start > 0 ? "…" : ""]];
  let at = start;
  for (const [from, to] of places) {
    if (from < at || to > end) continue;
    parts.push([false, text.slice(at, from)], [true, text.slice(from, to)]);
    at = to;
  }
  parts.push([false, text.slice(at, end) + (end < text.length ? "…" : "")]);
  return parts.filter(([, part]) => part);
}

/** Small letters; of the same length as the text, so that places in one are places in the other. */
const plain = (text: string): string =>
  Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).join("");
