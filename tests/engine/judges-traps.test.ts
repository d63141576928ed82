import { testTraps } from "./traps.js";

// The start of an instance, which is over by then; likewise the making of the one capability manifest there is, which ends
// with the instance.
testTraps("judges", 3);
