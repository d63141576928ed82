import { count, duration, money, text, type Values } from "../arguments/options.js";
import { REPORT_FILE } from "../arguments/shared-options.js";

export const MCP = {
  root: text("<folder>", "the folder whose files the tools may read and write; the current one by default"),
  maxTokens: count("the most tokens that the judges of one call read and write; 200000 by default", 1),
  maxDuration: duration("the longest time of one call, such as 90s or 10m; 10m by default"),
  maxCost: money("the most dollars that the judges of one call cost, by --prices"),
  prices: REPORT_FILE.prices,
};

export type McpOptions = Values<typeof MCP>;
