import type { Values } from "../options.js";
import { JSON_RESULT, READING, REPORT_FILE, WRITING } from "../shared-options.js";

export const REPORT = { ...WRITING, ...READING, ...REPORT_FILE, ...JSON_RESULT };

export type ReportFlags = Values<typeof REPORT>;
