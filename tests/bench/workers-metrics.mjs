/** The workers of `workers.mjs`. */
import { exactMatch, levenshteinDistance } from "openevals-wasm";
import { serveEvaluators } from "openevals-wasm/evaluation";
import { createTerEvaluator } from "openevals-wasm/text";

serveEvaluators({ exactMatch, levenshteinDistance, ter: createTerEvaluator() });
