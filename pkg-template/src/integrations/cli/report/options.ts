import type { Values } from "../options.js";
import { JSON_RESULT, READING, REPORT, WRITING } from "../shared-options.js";

export const REPORTING = { ...WRITING, ...READING, ...REPORT, ...JSON_RESULT };

export type ReportFlags = Values<typeof REPORTING>;
