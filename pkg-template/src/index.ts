import { findModule } from "./find-module.js";
import { useModule } from "./engine.js";

useModule(findModule);

export * from "./api.js";
