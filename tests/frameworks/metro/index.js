import { levenshteinDistance } from "openevals-wasm";
import { contains } from "openevals-wasm/checks";

globalThis.score = async () => ({
  contains: (await contains("yes")({ outputs: "yes" })).score,
  levenshtein: (await levenshteinDistance({ outputs: "ab", referenceOutputs: "ac" })).score,
});
