import { testTraps } from "./traps.js";

// The start of an instance, which is over by then; likewise the making of what there is one of in an instance, such as the
// rubric and the criteria of the calls that wait, and the capability manifest.
testTraps("judges", 6);
