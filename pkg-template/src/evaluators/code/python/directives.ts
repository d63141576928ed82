/**
 * Python code that cannot turn off its check with comments such as `# type: ignore`, or with the decorator `no_type_check`.
 *
 * The code keeps its length, so errors keep their places. Equal strings in it stay equal, so strings are not told from comments:
 * mypy reads `# mypy:` in strings, too.
 */
export const withoutDirectives = (code: string): string =>
  code
    .replace(DIRECTIVE, (comment) => `${comment.slice(0, -1)};`)
    // Python normalises names. `reveal_type` also returns its argument, and as a decorator it reports nothing.
    .replace(/\p{ID_Continue}+/gu, (name) =>
      name.normalize("NFKC") === "no_type_check" ? "reveal_type".padEnd(name.length) : name,
    );

/** The type checkers differ in the white space that they allow here. */
const DIRECTIVE = /#[^\w#\r\n]*(?:type(?=:[^\w#\r\n]*ignore)|pyright|mypy):/g;

/**
 * Python code whose relative imports do not leave its folder. Pyright follows them to any file, although Python does not: code
 * that is run as a script has no parent package.
 */
export const withoutParentImports = (code: string): string =>
  code.replace(/\bfrom[\s\\]*\.[\s\\.]*\./g, (start) => `${start.slice(0, -1).replaceAll(".", " ")}.`);
