import { testTraps } from "./traps.js";

// Functions that run before the trap is set: the start of an instance, and objects that an instance makes
// once, such as the rubric and the criteria of waiting calls, the questions about relevance, and the
// capability manifest; and the rule of retries that only failing batches ask.
testTraps("judges", 8);
