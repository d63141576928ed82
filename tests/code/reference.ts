/** The evaluators of code of the published package, with LangSmith tracing off: nothing here may talk to a network. */
import { register } from "node:module";

process.env.LANGSMITH_TRACING = "false";
process.env.LANGCHAIN_TRACING_V2 = "false";

// It needs the API of TypeScript 5, and finds another version under its name.
const compiler = new URL("reference-compiler.mjs", import.meta.url).href;
const hook = `export const resolve = (name, context, next) => name === "typescript" && context.parentURL.includes("/openevals/")
  ? { url: ${JSON.stringify(compiler)}, shortCircuit: true }
  : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const folder = new URL("../parity/node_modules/openevals/dist/code/", import.meta.url);
const base = await import(/* @vite-ignore */ new URL("base.js", folder).href);
const typescript = await import(/* @vite-ignore */ new URL("typescript.js", folder).href);

interface Result {
  key: string;
  score: boolean;
  comment?: string;
}

export const reference = {
  codeInMarkdown: base._extractCodeFromMarkdownCodeBlocks as (text: string) => string | null,
  createTypeScriptEvaluator: typescript.createTypeScriptEvaluator as () => (params: {
    outputs: string;
  }) => Promise<Result>,
};
