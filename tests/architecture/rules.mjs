/**
 * The import rules of `pkg-template/src/`: a level imports only levels above it in this list. Integrations import entry points
 * and a few folders that they share with them; nothing else imports an entry point of the root.
 */

import { readdirSync } from "node:fs";
import { entryFiles } from "../../xtask/entries.mjs";

const LEVELS = ["core", "models", "evaluators", "experiments", "presentation", "integrations"];

/** The modules that users import. */
const ENTRY_POINTS = [...new Set(entryFiles.map(({ source }) => `^src/${source}[.]ts$`))];

/** What integrations use besides entry points. A new line needs a reason why users do not need the same. */
const SHARED = [
  // The foundation: errors, checks of options, runtimes.
  "^src/core/",
  // Calls evaluators of any form and reads what they return; users call `evaluate()`.
  "^src/evaluators/calls/",
  // What reports, the command line and test runners say about experiments, so that all of them say the same.
  "^src/presentation/",
];

/** `bullmq` runs the plan of one `evaluate()` on many machines, so it reads the options and the data of that plan. */
const PLAN =
  "^src/experiments/evaluate/(options/(plan|settings|groups)|data/(open-data|types)|merge/options)[.]ts$";

const INTEGRATIONS = readdirSync(new URL("../../pkg-template/src/integrations", import.meta.url));

/** Files that the build writes beside the sources. */
const GENERATED = "(openevals[^/]*|version)[.]";

export default {
  forbidden: [
    ...LEVELS.slice(0, -1).map((level, position) => ({
      name: `${level}-imports-a-later-level`,
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
          `^src/integrations/${module}/`,
          ...ENTRY_POINTS,
          ...SHARED,
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
