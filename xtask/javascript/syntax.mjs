/** Changes code by its syntax tree instead of by patterns. */

import { parse } from "acorn";

/**
 * Replaces nodes of the code's syntax tree.
 *
 * @param replacement The text that replaces a node; `undefined` keeps the node and visits its children.
 */
export function replaced(code, replacement) {
  const edits = [];
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }));
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code);

  function visit(node) {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const by = node.type && replacement(node);
    if (by !== undefined) edits.push({ start: node.start, end: node.end, by });
    else Object.values(node).forEach(visit);
  }
}

/**
 * Marks the initial values of variables as pure where a bundler could not tell. Loading a module of the
 * package has no side effects, so every unused variable may be removed.
 */
export function markedAsPure(code) {
  const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const declarations = body.map((node) => node.declaration ?? node).filter(isVariable);
  const impure = declarations
    .flatMap((node) => node.declarations)
    .map(({ init }) => init)
    .filter((init) => init && !isPure(init) && !isMarked(code, init));
  return impure.reduceRight((text, { start, end }) => {
    const value = text.slice(start, end);
    return `${text.slice(0, start)}${PURE} (() => (${value}))()${text.slice(end)}`;
  }, code);
}

const PURE = "/* @__PURE__ */";

const isVariable = ({ type }) => type === "VariableDeclaration";

/** Whether a call is marked already, and its arguments are pure. */
const isMarked = (code, { type, start, arguments: args }) =>
  (type === "CallExpression" || type === "NewExpression") &&
  code.slice(0, start).trimEnd().endsWith(PURE) &&
  args.every(isPure);

/** Whether bundlers see that an expression has no side effects. */
function isPure(node) {
  switch (node?.type) {
    case undefined:
    case "Literal":
    case "Identifier":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    // A class would lose the name that it gets from its variable.
    case "ClassExpression":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "ArrayExpression":
      return node.elements.every(isPure);
    case "ObjectExpression":
      return node.properties.every(
        ({ type, computed, value }) => type === "Property" && !computed && isPure(value),
      );
    case "UnaryExpression":
      return node.operator !== "delete" && isPure(node.argument);
    default:
      return false;
  }
}

/** The names that a module declares and exports itself. */
export const exportedNames = (code) =>
  parse(code, { ecmaVersion: "latest", sourceType: "module" }).body.flatMap((node) =>
    node.type === "ExportNamedDeclaration"
      ? [...declaredNames(node.declaration), ...node.specifiers.map(({ exported }) => exported.name)]
      : [],
  );

/** The names in a declaration. */
export function declaredNames(node) {
  if (!node) return [];
  if (!isVariable(node)) return [node.id.name];
  return node.declarations.flatMap(({ id }) =>
    id.type === "ObjectPattern" ? id.properties.map(({ value }) => value.name) : [id.name],
  );
}

/** The style of the output: names are kept, comments and indentation removed. */
export const SHORTER = { minifySyntax: true, minifyWhitespace: true, lineLimit: 120 };

/** Comments that tell bundlers not to follow an import. */
const LEFT_ALONE = "/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */";

/**
 * Breaks lines between tokens only, since some tools do not support strings that continue after a backslash.
 * An import of a variable is one of an optional package, which is resolved where the application runs.
 */
export const tidied = (code) =>
  replaced(code, ({ type, start, end, source }) => {
    if (type === "ImportExpression" && source.type === "Identifier")
      return `import(${LEFT_ALONE} ${source.name})`;
    const text = type === "Literal" || type === "TemplateElement" ? code.slice(start, end) : "";
    return text.includes("\\\n") ? text.replaceAll(/(?<!\\)((?:\\\\)*)\\\n/g, "$1") : undefined;
  });
