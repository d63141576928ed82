import { useModule } from "./engine.js";
import { findModule } from "./find-module.js";

useModule(findModule);

export * from "./code/e2b.js";
