import type { Values } from "../options.js";
import { READING, REPORT } from "../shared-options.js";

export const REPORTING = { ...READING, ...REPORT };

export type ReportOptions = Values<typeof REPORTING>;
