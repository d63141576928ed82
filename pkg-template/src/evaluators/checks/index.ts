/** Checks of answers: cheap gates that need no model. */

export type { FieldSource } from "../../core/input/field.js";
export type { PassOptions } from "../../core/passing.js";
export type { ByteStream, TextStream } from "../../core/platform/globals.js";
export type { ModelPrice, ModelPrices } from "../../core/records/prices.js";
export type { ScoreScale } from "../../core/types.js";
export type { PartEvaluator, PartReturn } from "../calls/parts.js";
export type { Check, CheckOptions, CheckParams, CheckResult, OutputCheckOptions } from "./check.js";
export { allOf, anyOf, not } from "./combining/all-of.js";
export type { Combination, CombinationOptions } from "./combining/combination.js";
export { firstFailing, type UnlessOptions, unless } from "./combining/in-turn.js";
export { type WeightedEvaluator, type WeightedOptions, weighted } from "./combining/weighted.js";
export { type ContainsOptions, contains, containsAll, containsAny, startsWith } from "./contains.js";
export { type EqualsNumberOptions, equalsNumber } from "./equals-number.js";
export { type GuardedText, type GuardOptions, guard } from "./guard/guard.js";
export type { Readable, Source } from "./guard/source.js";
export type { GuardedStream } from "./guard/stream.js";
export type { GuardFailure } from "./guard/verdict.js";
export { type JsonSchemaOptions, jsonSchema, type ValidJsonOptions, validJson } from "./json.js";
export { type DetectLanguage, type LanguageOptions, language } from "./language.js";
export { type LengthOptions, type LengthUnit, length } from "./length.js";
export {
  type FindTextProblem as FindProblem,
  type Parse5Module,
  type SaxesModule,
  type SqlParserModule,
  type ValidHtmlOptions,
  type ValidSqlOptions,
  type ValidXmlOptions,
  validHtml,
  validSql,
  validXml,
} from "./markup.js";
export { type MatchesOptions, matches } from "./matches.js";
export { type CostOptions, cost, type LatencyOptions, latency } from "./metadata.js";
export { type NoPIIOptions, noPII } from "./no-pii.js";
export { type NoRefusalOptions, noRefusal } from "./no-refusal.js";
export type { PIIFinding, PIIKind } from "./pii.js";
