import type { ConvertObjects, ResourceSchemas, UnstructuredKind } from "@gatehouse/apiserver/forms";
import { metaOf } from "@gatehouse/apiserver/objects";
import { FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, isJsonObject, type JsonObject, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { apiVersionOf, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { compileKeepingRootSchema, compileRootSchema } from "@gatehouse/policies/structural-schemas";
import { conversionWebhook } from "../conversion/conversion-webhook.js";
import { ConversionError } from "../conversion/converted-object.js";
import type { WebhookClients } from "../conversion/webhook-clients.js";
import { storedPatternProblems } from "../schema/pattern-problems.js";
import { formProblem } from "../schema/structural-form.js";
import { structuralErrors } from "../schema/structural-validation.js";

/** The parts that the versions of a custom kind share. */
export interface CustomKind {
  readonly definition: JsonObject;
  readonly group: string;
  readonly storedVersion: string;
  /** Returns the openAPIV3Schema of a version, by which values are validated. Reads the definition anew with every call. */
  readonly sourceOf: (version: string) => JsonObject;
  /** Returns the openAPIV3Schema of a version for documents of a version of OpenAPI; undefined where they show any object. */
  readonly publishedOf: (version: string, openApiVersion: 2 | 3) => JsonObject | undefined;
  /** Returns the schema of a version, compiled at the first call. */
  readonly schemaOf: (version: string) => ObjectSchema;
  readonly convert: ConvertObjects | undefined;
}

/** Makes the kind of a definition. `read` is called for the definition when some part of it is to be compiled. */
export function customKind(
  definition: JsonObject,
  storedVersion: string,
  read: () => JsonObject,
  webhooks: WebhookClients | undefined,
): CustomKind {
  const sourceOf = (version: string): JsonObject => schemaOfVersion(read(), version) ?? anyObject;
  const structuralOf = (version: string): JsonObject | undefined => structuralSchema(schemaOfVersion(read(), version));
  const keepsEverything = booleanAt(definition, "spec", "preserveUnknownFields");
  const schemas = new Map<string, ObjectSchema>();
  return {
    definition,
    group: textAt(definition, "spec", "group"),
    storedVersion,
    sourceOf,
    publishedOf(version, openApiVersion) {
      if (!keepsEverything) {
        return sourceOf(version);
      }
      return openApiVersion === 2 ? undefined : structuralOf(version);
    },
    schemaOf(version) {
      let schema = schemas.get(version);
      if (schema === undefined) {
        schema = keepsEverything
          ? compileKeepingRootSchema(structuralOf(version))
          : compileRootSchema(sourceOf(version));
        schemas.set(version, schema);
      }
      return schema;
    },
    convert: converterOf(definition, webhooks),
  };
}

/** Returns the converter between the versions of a kind; undefined where they differ in nothing but their names. */
function converterOf(definition: JsonObject, webhooks: WebhookClients | undefined): ConvertObjects | undefined {
  if (textAt(definition, "spec", "conversion", "strategy") !== "Webhook") {
    return undefined;
  }
  const webhook = objectAt(definition, "spec", "conversion", "webhook");
  const clientConfig = objectAt(webhook, "clientConfig");
  return conversionWebhook({
    crd: metaOf(definition).name ?? "",
    metrics: webhooks?.metrics,
    reviewVersions: textsAt(webhook, "conversionReviewVersions"),
    target() {
      if (webhooks === undefined) {
        throw new ConversionError("conversion webhooks cannot be called here");
      }
      return webhooks.target(clientConfig);
    },
  });
}

/** The schema of a version for which the definition states none. */
const anyObject: JsonObject = Object.freeze({ type: "object" }) as JsonObject;

/** Returns the openAPIV3Schema of a version; undefined where the definition has none. */
function schemaOfVersion(definition: JsonObject, name: string): JsonObject | undefined {
  const version = listAt(definition, "spec", "versions").find((candidate) => textAt(candidate, "name") === name);
  const stated = valueAt(version, "schema", "openAPIV3Schema");
  return isJsonObject(stated) ? stated : undefined;
}

/**
 * Returns a schema if it is structural, as that of a definition need not be whose objects keep everything. Another one
 * only validates values.
 */
function structuralSchema(schema: JsonObject | undefined): JsonObject | undefined {
  if (schema === undefined || formProblem(schema) !== undefined) {
    return undefined;
  }
  return structuralErrors(schema, FieldPath.of("schema"), storedPatternProblems()).length > 0 ? undefined : schema;
}

/** Returns a version of a kind as its objects are read, stored and converted. */
export function unstructuredKind(
  { definition, group, storedVersion, schemaOf, convert }: CustomKind,
  schemas: ResourceSchemas,
): UnstructuredKind {
  const versions = new Map(
    listAt(definition, "spec", "versions").map((version) => {
      const name = textAt(version, "name");
      return [apiVersionOf({ group, version: name }), name] as const;
    }),
  );
  return {
    schemas,
    storedApiVersion: apiVersionOf({ group, version: storedVersion }),
    // Objects written before the latest change of the definition may have any form that it ever stated.
    unchangedSince: Number(metaOf(definition).resourceVersion ?? 0),
    schemaOf(apiVersion) {
      const version = versions.get(apiVersion);
      return version === undefined ? undefined : schemaOf(version);
    },
    convert,
  };
}

function textsAt(object: JsonObject, name: string): readonly string[] {
  return listAt(object, name).filter((item) => typeof item === "string");
}
