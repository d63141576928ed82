/** Schemas of libraries, after https://standardschema.dev. */

/** A schema of zod, ArkType, Valibot and others, after https://standardschema.dev. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => ValidationResult | Promise<ValidationResult>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** The type that a schema returns for a valid answer. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

interface ValidationResult {
  readonly value?: unknown;
  readonly issues?:
    | readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[]
    | undefined;
}

/** A schema with the extension of Standard Schema for JSON schemas, which some libraries lack. */
export interface ConvertibleSchema {
  readonly "~standard"?: {
    readonly jsonSchema?: Record<"input" | "output", (options: { target: string }) => object>;
  };
}

export const standardOf = (schema: object) =>
  (schema as Partial<StandardSchema> & ConvertibleSchema)["~standard"];
