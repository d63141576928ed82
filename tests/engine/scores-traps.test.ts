import { testTraps } from "./traps.js";

// Functions that run at the start of an instance, before the trap is set.
testTraps("scores", 1);
