/**
 * Who may import whom in `pkg-template/src/`: a street those above it in this list, never the other way round, and no two
 * rooms each other, not even for types. Entry points, at the root, import all and are imported by nobody.
 */
const STREETS = ["core", "models", "evaluators", "experiments", "integrations"];

/** Files that the build writes beside the sources. */
const GENERATED = "(openevals[^/]*|version)[.]";

export default {
  forbidden: [
    ...STREETS.map((street, position) => ({
      name: `${street}-imports-down-only`,
      comment: `Move what both need to ${street}/ or to a street before it.`,
      severity: "error",
      from: { path: `^src/${street}/` },
      to: {
        path: ["^src/[^/]+$", ...STREETS.slice(position + 1).map((next) => `^src/${next}/`)],
        pathNot: `^src/${GENERATED}`,
      },
    })),
    {
      name: "no-circle-of-rooms",
      comment: "Two rooms that need each other are one, or need a third that both import.",
      severity: "error",
      scope: "folder",
      from: { path: "^src/[^/]+/[^/]+$" },
      to: { circular: true },
    },
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
