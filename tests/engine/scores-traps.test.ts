import { testTraps } from "./traps.js";

// The start of an instance, which is over by then.
testTraps("scores", 1);
