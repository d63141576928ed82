/** Colours for code, in the page and, when the guide is built, in its chapters. */

export type Kind = "comment" | "string" | "keyword" | "number" | "plain";

const KEYWORDS = new Set(
  (
    "as async await break case catch class const continue default delete do else export extends false finally for from " +
    "function if implements import in instanceof interface let new null of return satisfies static switch this throw true " +
    "try type typeof undefined using void while yield"
  ).split(" "),
);

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const SCRIPT = new RegExp(
  String.raw`(?<comment>//.*|/\*[\s\S]*?\*/)|(?<string>${STRING}|${"`"}(?:[^${"`"}\\]|\\.)*${"`"})|(?<number>\b\d[\d_.]*\b)|(?<word>[A-Za-z_$][\w$]*)`,
  "g",
);
const SHELL = new RegExp(String.raw`(?<comment>(?<=^|\s)#.*)|(?<string>${STRING})`, "gm");

const LANGUAGES: Record<string, RegExp> = {
  ts: SCRIPT,
  tsx: SCRIPT,
  typescript: SCRIPT,
  js: SCRIPT,
  jsx: SCRIPT,
  javascript: SCRIPT,
  mjs: SCRIPT,
  json: SCRIPT,
  jsonc: SCRIPT,
  sh: SHELL,
  bash: SHELL,
  shell: SHELL,
  toml: SHELL,
  yaml: SHELL,
  yml: SHELL,
};

/** The pieces of a code, in their order; all of it plain in a language that is not known. */
export function pieces(code: string, language = "ts"): [Kind, string][] {
  const pattern = LANGUAGES[language];
  if (!pattern) return [["plain", code]];
  const found: [Kind, string][] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const kind = kindOf(match.groups ?? {});
    if (kind === "plain") continue;
    if (match.index > end) found.push(["plain", code.slice(end, match.index)]);
    found.push([kind, match[0]]);
    end = match.index + match[0].length;
  }
  if (end < code.length) found.push(["plain", code.slice(end)]);
  return found;
}

function kindOf({ comment, string, number, word }: Record<string, string | undefined>): Kind {
  if (comment) return "comment";
  if (string) return "string";
  if (number) return "number";
  return word && KEYWORDS.has(word) ? "keyword" : "plain";
}
