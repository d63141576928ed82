import type { Values } from "../options.js";
import { COMPARING, READING, REPORT } from "../shared-options.js";

export const COMPARE = { ...COMPARING, ...READING, ...REPORT };

export type CompareOptions = Values<typeof COMPARE>;
