/** Extracts the prose of code: comments, texts, and the names of tests. */

const SHARED = {
  comment: /\/\*[\s\S]*?\*\/|(?:\/\/.*(?:\n[ \t]*(?=\/\/))?)+/y,
  string: /"(?:\\[\s\S]|[^"\\])*"/y,
};
const LANGUAGES = {
  rust: { ...SHARED, raw: /b?r(#*)"[\s\S]*?"\1/y, other: /'(?:\\.[^']*|[^'\\\n])'|\w+/y },
  script: {
    ...SHARED,
    apostrophes: /'(?:\\[\s\S]|[^'\\\n])*'/y,
    regex: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//y,
    other: /[\w$]+/y,
  },
};

/** The code before a title, such as `it(` or `it.each([…])(`. */
const BEFORE_TITLE = /(?:\b(?:describe|it|test)(?:\.\w+)*|\))\($/;
/** The code before a regular expression. Elsewhere, a slash divides. */
const BEFORE_REGEX = /(?:^|[-(,=:[!&|?{};+*%~^<>]|\b(?:return|typeof|case|of|in))$/;

/**
 * Splits code into comments, texts and the rest.
 *
 * @param onPart Gets the kind, the position and the content of each comment and text, and the code before it.
 */
function scan(source, patterns, onPart) {
  const read = (kind, at) => {
    if (!patterns[kind]) return;
    patterns[kind].lastIndex = at;
    return patterns[kind].exec(source)?.[0];
  };
  /** Reads code until the brace that closes it, or the end. Returns the position after it. */
  const readCode = (start) => {
    let code = "";
    let depth = 0;
    let at = start;
    while (at < source.length) {
      const comment = read("comment", at);
      const text = comment ?? read("raw", at) ?? read("string", at) ?? read("apostrophes", at);
      if (text) onPart(comment ? "comment" : "text", at, text, code);
      if (text) at += text.length;
      else if (source[at] === "`" && patterns.regex) at = readTemplate(at, code);
      else {
        const token = (BEFORE_REGEX.test(code) && read("regex", at)) || (read("other", at) ?? source[at]);
        at += token.length;
        if (token === "{") depth++;
        if (token === "}" && depth-- === 0) return at;
        if (token.trim()) code = `${code}${token}`.slice(-80);
        continue;
      }
      if (!comment) code = `${code}""`;
    }
    return at;
  };
  const readTemplate = (start, code) => {
    let at = start + 1;
    let from = at;
    while (at < source.length && source[at] !== "`") {
      if (source[at] === "\\") at += 2;
      else if (source.startsWith("${", at)) {
        onPart("text", from, source.slice(from, at), code);
        at = readCode(at + 2);
        from = at;
      } else at++;
    }
    onPart("text", from, source.slice(from, at), code);
    return at + 1;
  };
  readCode(0);
}

/** A comment without its marks, its quoted code and its examples, in one line. */
const wordsOf = (comment) =>
  comment
    .replaceAll(/^\/\*+|\*\/$|^[ \t]*(?:\/\/[/!]?|\*)/gm, "")
    .replaceAll(/```[\s\S]*?(?:```|$)|`[^`]*`/g, "``")
    .replaceAll(/\s+/g, " ");

/** Files whose texts are written for models. */
const PROMPTS =
  /^pkg-template\/src\/.*(?:\/prompts?(?:\/|\.ts)|\/questions?(?:\/|\.ts)|\/rubrics\.ts)|^src\/json_match\/rubric\//;

/** Returns the prose of a file as `{ line, text }`. `path` is relative to the repository. */
export function proseOf(source, path) {
  const isRust = path.endsWith(".rs");
  const isTest = /(?:^|\/)tests[./]/.test(path);
  const found = [];
  const add = (at, text) => found.push({ line: source.slice(0, at).split("\n").length, text });
  scan(source, isRust ? LANGUAGES.rust : LANGUAGES.script, (kind, at, text, code) => {
    if (kind === "comment" || (isTest ? BEFORE_TITLE.test(code) : !PROMPTS.test(path)))
      add(at, wordsOf(text));
  });
  for (const { index, 1: name } of source.matchAll(/#\[test\]\s+fn (\w+)/g))
    add(index, name.replaceAll("_", " "));
  return found;
}
