import type { Values } from "../arguments/options.js";
import { JSON_RESULT, READING, REPORT_FILE, WRITING } from "../arguments/shared-options.js";

export const REPORT = { ...WRITING, ...READING, ...REPORT_FILE, ...JSON_RESULT };

export type ReportFlags = Values<typeof REPORT>;
