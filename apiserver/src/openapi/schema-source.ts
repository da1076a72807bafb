import type { SchemaRegistry } from "@gatehouse/envelopes/schema";

/** What OpenAPI needs of the schema registry. */
export type SchemaSource = Pick<SchemaRegistry, "kindSchema" | "messageSchema" | "kinds" | "groupVersions">;
