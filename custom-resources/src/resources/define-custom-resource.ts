import { isConditionTrue } from "@gatehouse/apiserver/objects";
import {
  defineResource,
  type ResourceDefinition,
  type Subresource,
  scaleSubresource,
  statusSubresource,
  storageVersionHash,
} from "@gatehouse/apiserver/registry";
import {
  customScale,
  lazySchemas,
  SchemaRules,
  schemaKindStrategy,
  schemaKindVerbs,
  schemaValidation,
} from "@gatehouse/apiserver/structural-schemas";
import { printerTable } from "@gatehouse/apiserver/tables";
import { booleanAt, isJsonObject, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import { type ScalePaths, scalePathsOf } from "@gatehouse/policies/structural-schemas";
import type { WebhookClients } from "../conversion/webhook-clients.js";
import { type CustomKind, customKind, unstructuredKind } from "./custom-kind.js";
import { deprecationOfVersion } from "./deprecated-version.js";

/**
 * Returns the resources that a CustomResourceDefinition (v1, with its names accepted) defines: one for each served
 * version, in the order of the definition. Schemas are compiled when they are needed, and only names of the definition
 * are kept: `read` is called for it again when a schema is to be compiled.
 */
export function customResourceDefinitions(
  definition: JsonObject,
  read: () => JsonObject = () => definition,
  webhooks?: WebhookClients,
): readonly ResourceDefinition[] {
  const versions = listAt(definition, "spec", "versions").filter(isJsonObject);
  const stored = versions.find((version) => booleanAt(version, "storage"));
  if (stored === undefined) {
    return [];
  }
  const kind = customKind(definition, textAt(stored, "name"), read, webhooks);
  return versions.filter((version) => booleanAt(version, "served")).map((version) => defineVersion(kind, version));
}

/**
 * Returns the version that objects are stored in as a resource, for access to objects without a served version.
 * Undefined when the definition has none.
 */
export function storedVersionDefinition(
  definition: JsonObject,
  read: () => JsonObject,
  webhooks: WebhookClients | undefined,
): ResourceDefinition | undefined {
  const stored = listAt(definition, "spec", "versions")
    .filter(isJsonObject)
    .find((version) => booleanAt(version, "storage"));
  return stored === undefined
    ? undefined
    : defineVersion(customKind(definition, textAt(stored, "name"), read, webhooks), stored);
}

function defineVersion(custom: CustomKind, version: JsonObject): ResourceDefinition {
  const { definition, group, storedVersion } = custom;
  const names = objectAt(definition, "status", "acceptedNames");
  const resource = textAt(names, "plural");
  const kind = textAt(names, "kind");
  const namespaced = textAt(definition, "spec", "scope") === "Namespaced";
  const gvk = { group, version: textAt(version, "name"), kind };
  const scale = scalePathsOf(version);
  return defineResource(group, gvk.version, {
    resource,
    singular: textAt(names, "singular"),
    kind,
    listKind: textAt(names, "listKind"),
    namespaced,
    shortNames: textsAt(names, "shortNames"),
    categories: textsAt(names, "categories"),
    verbs: schemaKindVerbs,
    subresources: subresourcesOf(version),
    // As in v1.29, which looks for the stored version among those that are served.
    storageVersionHash: isServed(definition, storedVersion) ? storageVersionHash(group, storedVersion, kind) : "",
    deprecation: deprecationOfVersion(definition, gvk, version),
    storage: { version: storedVersion, prefix: `${group}/${resource}` },
    unstructured: unstructuredKind(
      custom,
      lazySchemas(gvk, textAt(names, "listKind"), () => custom.schemaOf(gvk.version)),
    ),
    fields: {},
    table: printerTable(listAt(version, "additionalPrinterColumns")),
    ...(scale === undefined ? {} : { scale: customScale(scale, (apiVersion) => scalePathsIn(custom, apiVersion)) }),
    strategy: schemaKindStrategy,
    custom: {
      isTerminating: isConditionTrue(definition, "Terminating"),
      openAPIV3Schema: (openApiVersion) => custom.publishedOf(gvk.version, openApiVersion),
      validation: schemaValidation(
        new SchemaRules({
          group,
          kind,
          apiVersion: apiVersionOf(gvk),
          source: () => custom.sourceOf(gvk.version),
          schema: () => custom.schemaOf(gvk.version),
          scale,
        }),
      ),
    },
  });
}

/** Returns the scale paths of any version of a kind; undefined for what is no version of it. */
function scalePathsIn({ definition, group }: CustomKind, apiVersion: string): ScalePaths | "none" | undefined {
  const version = listAt(definition, "spec", "versions").find(
    (candidate) => apiVersionOf({ group, version: textAt(candidate, "name") }) === apiVersion,
  );
  return isJsonObject(version) ? (scalePathsOf(version) ?? "none") : undefined;
}

function isServed(definition: JsonObject, version: string): boolean {
  const versions = listAt(definition, "spec", "versions");
  return versions.some((each) => textAt(each, "name") === version && booleanAt(each, "served"));
}

function subresourcesOf(version: JsonObject): readonly Subresource[] {
  const { status, scale } = objectAt(version, "subresources");
  return [...(isJsonObject(status) ? [statusSubresource] : []), ...(isJsonObject(scale) ? [scaleSubresource] : [])];
}

function textsAt(object: JsonObject, name: string): readonly string[] {
  return listAt(object, name).filter((item) => typeof item === "string");
}
