import type { SchemaRegistry } from "@gatehouse/envelopes";

/** The part of the schema registry that OpenAPI needs. */
export type SchemaSource = Pick<SchemaRegistry, "kindSchema" | "messageSchema" | "kinds" | "groupVersions">;
