import type { SchemaRegistry } from "@gatehouse/envelopes/schema";

/** The part of the schema registry that OpenAPI needs. */
export type SchemaSource = Pick<SchemaRegistry, "kindSchema" | "messageSchema" | "kinds" | "groupVersions">;
