import type { Values } from "../options.js";
import { READING, REPORT, WRITING } from "../shared-options.js";

export const REPORTING = { ...WRITING, ...READING, ...REPORT };

export type ReportFlags = Values<typeof REPORTING>;
