const __report = globalThis.__report;
import { createE2BExecutionEvaluator } from "openevals-wasm/code/e2b";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import { Sandbox } from "@e2b/code-interpreter";

const typechecks = createTypeScriptEvaluator({ codeExtractionStrategy: "markdown_code_blocks" });
__report(0, await typechecks({ outputs: "Here:\n```ts\nconst a: number = 'x';\n```" }));
// { key: "typescript_succeeded", score: false, comment: "(1,7): Type 'string' is not assignable to type 'number'." }

const runs = createE2BExecutionEvaluator({ sandbox: await Sandbox.create() });

export {};
