import { kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";

/** The type that an endpoint takes. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
  /** The other API versions under which documents of the same form are accepted; they are read as the expected one. */
  readonly otherVersions?: readonly string[];
}

/** Returns a kind that some endpoints take for every resource. Its schema is part of the program. */
export function expectedKind(
  group: string,
  version: string,
  kind: string,
  otherVersions: readonly string[] = [],
): ExpectedKind {
  const found = kindSchema(group, version, kind);
  if (found === undefined) {
    throw new Error(`no schema for ${kind}`);
  }
  return { group, version, kind, schema: found.schema, otherVersions };
}
