/** Options in groups, such as `output: { sink }`. */

import { invalidConfig } from "../../../core/errors.js";
import { anything, checkOptions, type OptionChecks, objectOfOptions } from "../../../core/input/checks.js";
import { BUDGET_OPTIONS } from "../budget/options.js";
import { EXPERIMENT_OUTPUT_OPTIONS } from "../sink/options.js";
import { JUDGE_CALL_OPTIONS } from "./judge-options.js";

/** The groups of `evaluate()`. */
export const GROUPS = {
  judges: JUDGE_CALL_OPTIONS,
  output: EXPERIMENT_OUTPUT_OPTIONS,
  budget: BUDGET_OPTIONS,
};

/** Options with all of their groups. */
type Grouped<Options, Name extends keyof Options> = Options & {
  [Group in Name]-?: NonNullable<Options[Group]>;
};

/**
 * Checks options of which some are in groups. An option outside its group gets an error with its place.
 *
 * @returns The options, each read once. A missing group is empty.
 */
export function checkGrouped<Options extends object, Name extends keyof Options & string>(
  maker: string,
  options: Options,
  checks: OptionChecks<Omit<Options, Name>>,
  groups: Record<Name, OptionChecks<any>>,
): Grouped<Options, Name> {
  objectOfOptions(maker, options);
  for (const name of Object.keys(options))
    if (!Object.hasOwn(checks, name)) checkPlace(maker, name, groups, checks);
  const names = Object.keys(groups) as Name[];
  const wholeGroups = Object.fromEntries(names.map((name) => [name, anything]));
  const read = checkOptions(maker, options, { ...checks, ...wholeGroups } as OptionChecks<Options>);
  const own = names.map((name) => [name, checkGroup<any>(maker, name, read[name], groups[name])]);
  return { ...read, ...Object.fromEntries(own) };
}

/** Checks the options of one group; `{}` without the group. */
export const checkGroup = <Group extends object>(
  maker: string,
  name: string,
  group: Group | undefined,
  checks: OptionChecks<Group>,
): Group => (group === undefined ? ({} as Group) : checkOptions(`${maker}.${name}`, group, checks));

/**
 * Rejects an option that belongs to a group, and a name that contains an option's name, such as `dataset`, or is a part of one,
 * such as `concurrency`.
 *
 * @param names The options outside of groups.
 * @throws {@link OpenEvalsError} `invalid_config`, with the right group or name.
 */
export function checkPlace(maker: string, name: string, groups: Record<string, object>, names: object): void {
  if (Object.hasOwn(groups, name)) return;
  const group = Object.keys(groups).find((group) => Object.hasOwn(groups[group]!, name));
  // Short names are parts of too many others.
  const isPart = (part: string, whole: string) => part.length > 3 && whole.includes(part);
  const meant = group
    ? `${group}.${name}`
    : Object.keys(names).find((own) => isPart(name, own.toLowerCase()) || isPart(own, name));
  if (meant) throw invalidConfig(`${maker} has no option "${name}"; did you mean ${meant}?`);
}
