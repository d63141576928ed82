/** The module of a worker: real evaluators, and some that fail in every way. */
import { exactMatch, levenshteinDistance, OpenEvalsError } from "openevals-wasm";
import { serveEvaluators } from "openevals-wasm/evaluation";

serveEvaluators({
  exactMatch,
  levenshteinDistance,
  sometimesDies({ inputs }) {
    if (inputs?.deadly) process.exit(3);
    return { key: "alive", score: true };
  },
  throwsOurs() {
    throw new OpenEvalsError("invalid_input", "Nothing to score.", { status: 418 });
  },
  throwsOthers() {
    throw new RangeError("too far");
  },
  sometimesHangs({ inputs }) {
    while (inputs?.endless);
    return { key: "quick", score: 1 };
  },
});
