/**
 * The import rules of `pkg-template/src/`: a level imports only levels above it in this list. Integrations import entry points,
 * `core/` and a few shared modules; nothing else imports an entry point of the root.
 */

import { readdirSync } from "node:fs";
import { entryFiles } from "../../xtask/entries.mjs";

const LEVELS = ["core", "models", "evaluators", "experiments", "integrations"];

/** The modules that users import. */
const ENTRY_POINTS = [...new Set(entryFiles.map(({ source }) => `^src/${source}[.]ts$`))];

/**
 * What integrations use besides entry points, with the reason. A new line here needs a reason why users do not need the same.
 */
const SHARED_MODULES = [
  // The foundation: errors, checks of options, runtimes.
  "core/",
  // Calls evaluators of any form and reads any result; users call `evaluate()`.
  "evaluators/results/(answers|plain|results)[.]ts",
  "experiments/evaluate/evaluators/(row-evaluators|messages)[.]ts",
  // Words and rules that reports, the command line and test runners share, so that all of them say the same.
  "experiments/presentation/(decisions|limit-range|passed-limits|reading|verdict|without-results)[.]ts",
  "experiments/presentation/story/(headline|row-status|strict-marks)[.]ts",
  "experiments/presentation/terminal/(failing-rows|style|table|text)[.]ts",
  // The formats of results that the command line writes, and its pages.
  "experiments/presentation/(csv|escape-markup|outcome)[.]ts",
  "experiments/presentation/(markdown|matrix)/outcomes[.]ts",
  "experiments/presentation/report/(compare|data|document|index-of)[.]ts",
].map((path) => `^src/${path}`);

/** `bullmq` runs the plan of one `evaluate()` on many machines, so it reads the options and the data of that plan. */
const PLAN =
  "^src/experiments/evaluate/(options/(evaluate-options|settings|groups)|data/(open-data|types)|merge/options)[.]ts$";

const INTEGRATIONS = readdirSync(new URL("../../pkg-template/src/integrations", import.meta.url));

/** Files that the build writes beside the sources. */
const GENERATED = "(openevals[^/]*|version)[.]";

export default {
  forbidden: [
    ...LEVELS.slice(0, -1).map((level, position) => ({
      name: `${level}-imports-down-only`,
      comment: `Move what both need to ${level}/ or to a level before it.`,
      severity: "error",
      from: { path: `^src/${level}/` },
      to: {
        path: ["^src/[^/]+$", ...LEVELS.slice(position + 1).map((next) => `^src/${next}/`)],
        pathNot: `^src/${GENERATED}`,
      },
    })),
    ...INTEGRATIONS.map((module) => ({
      name: `${module}-imports-entry-points`,
      comment: "Import what users import. If the API lacks it, users may lack it, too.",
      severity: "error",
      from: { path: `^src/integrations/${module}/` },
      to: {
        path: "^src/",
        pathNot: [
          `^src/${GENERATED}`,
          `^src/integrations/(${module}|shared)/`,
          ...ENTRY_POINTS,
          ...SHARED_MODULES,
          ...(module === "bullmq" ? [PLAN] : []),
        ],
      },
    })),
    {
      name: "no-circle-of-files",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".js"] },
  },
};
