import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { ResourceSchemas } from "./resource-schemas.js";

/**
 * A custom kind in one served version: its schemas and the conversion between its versions. Schemas and the stored
 * version may change while objects are stored.
 */
export interface UnstructuredKind {
  /** The schemas of the served version. */
  readonly schemas: ResourceSchemas;
  readonly storedApiVersion: string;
  /** The revision after which objects written in the current stored version are in its current schema. */
  readonly unchangedSince: number;
  /** Returns the schema of a version that the definition has, served or not; undefined for any other. */
  readonly schemaOf: (apiVersion: string) => ObjectSchema | undefined;
  /** The converter between the versions; undefined where they differ in nothing but their names. */
  readonly convert: ConvertObjects | undefined;
}

/** Converts whole objects of one kind to a version, as the definition of the kind says. Rejects with a StatusError. */
export type ConvertObjects = (
  objects: readonly JsonObject[],
  apiVersion: string,
  signal: AbortSignal | undefined,
) => Promise<readonly JsonObject[]>;
