import * as checks from "../../../evaluators/checks/index.js";

export const CHECKS = {
  contains: () => checks.contains(),
  contains_all: () => checks.containsAll(),
  contains_any: () => checks.containsAny(),
  starts_with: () => checks.startsWith(),
  equals_number: () => checks.equalsNumber(),
  "equals_number:last": () => checks.equalsNumber({ find: "last", feedbackKey: "equals_number:last" }),
  valid_json: () => checks.validJson(),
  valid_xml: () => checks.validXml(),
  valid_html: () => checks.validHtml(),
  valid_sql: () => checks.validSql(),
  no_refusal: () => checks.noRefusal(),
  no_pii: () => checks.noPII(),
};
