import { metaOf } from "@gatehouse/apiserver/objects";
import type { ConvertObjects, StoredForm } from "@gatehouse/apiserver/registry";
import {
  apiVersionOf,
  type GroupVersionKind,
  isJsonObject,
  type JsonObject,
  listAt,
  type ObjectSchema,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes";
import { conversionWebhook } from "../conversion/conversion-webhook.js";
import { ConversionError } from "../conversion/converted-object.js";
import { customForm } from "../conversion/stored-form.js";
import type { WebhookClients } from "../conversion/webhook-clients.js";
import { compileRootSchema } from "../schema/compile-schema.js";

/** What the versions of a kind have in common. */
export interface CustomKind {
  readonly definition: JsonObject;
  readonly group: string;
  readonly storedVersion: string;
  /** What the definition says of the objects of a version. Read anew with every call. */
  readonly sourceOf: (version: string) => JsonObject;
  /** The same, compiled when it is first asked for. */
  readonly schemaOf: (version: string) => ObjectSchema;
  readonly convert: ConvertObjects | undefined;
}

/** The kind of a definition. `read` is asked for the definition when something of it is to be compiled. */
export function customKind(
  definition: JsonObject,
  storedVersion: string,
  read: () => JsonObject,
  webhooks: WebhookClients | undefined,
): CustomKind {
  const sourceOf = (version: string): JsonObject => schemaOfVersion(read(), version);
  const schemas = new Map<string, ObjectSchema>();
  return {
    definition,
    group: textAt(definition, "spec", "group"),
    storedVersion,
    sourceOf,
    schemaOf(version) {
      let schema = schemas.get(version);
      if (schema === undefined) {
        schema = compileRootSchema(sourceOf(version));
        schemas.set(version, schema);
      }
      return schema;
    },
    convert: converterOf(definition, webhooks),
  };
}

/** Who converts between the versions of a kind; undefined where they differ in nothing but their names. */
function converterOf(definition: JsonObject, webhooks: WebhookClients | undefined): ConvertObjects | undefined {
  if (textAt(definition, "spec", "conversion", "strategy") !== "Webhook") {
    return undefined;
  }
  const webhook = objectAt(definition, "spec", "conversion", "webhook");
  const clientConfig = objectAt(webhook, "clientConfig");
  return conversionWebhook({
    reviewVersions: textsAt(webhook, "conversionReviewVersions"),
    target() {
      if (webhooks === undefined) {
        throw new ConversionError("conversion webhooks cannot be called here");
      }
      return webhooks.target(clientConfig);
    },
  });
}

/** What the definition says of the objects of a version; any object where it says nothing. */
function schemaOfVersion(definition: JsonObject, name: string): JsonObject {
  const version = listAt(definition, "spec", "versions").find((candidate) => textAt(candidate, "name") === name);
  const stated = valueAt(version, "schema", "openAPIV3Schema");
  return isJsonObject(stated) ? stated : { type: "object" };
}

/** How objects of a version are read and stored. */
export function storedFormOf(
  { definition, group, storedVersion, schemaOf, convert }: CustomKind,
  gvk: GroupVersionKind,
): StoredForm {
  const versions = new Map(
    listAt(definition, "spec", "versions").map((version) => {
      const name = textAt(version, "name");
      return [apiVersionOf({ group, version: name }), name] as const;
    }),
  );
  return customForm({
    servedApiVersion: apiVersionOf(gvk),
    storedApiVersion: apiVersionOf({ group, version: storedVersion }),
    // Whatever was written before the definition was as it is now may be in any form that it ever stated.
    unchangedSince: Number(metaOf(definition).resourceVersion ?? 0),
    schemaOf(apiVersion) {
      const version = versions.get(apiVersion);
      return version === undefined ? undefined : schemaOf(version);
    },
    convert,
  });
}

function textsAt(object: JsonObject, name: string): readonly string[] {
  return listAt(object, name).filter((item) => typeof item === "string");
}
