import { type OlderVersion, present, versionsOfSameShape } from "@gatehouse/apiserver/conversion";

import {
  isSameJson,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
} from "@gatehouse/envelopes/json";
import type { StoredFormTable } from "./stored-form.js";

const admission = "admissionregistration.k8s.io";

/** Definitions, APIServices and admission configurations: what extends the API. */
export const extensionForms: StoredFormTable = {
  "apiextensions.k8s.io/customresourcedefinitions": {
    olderVersions: [{ group: "apiextensions.k8s.io", version: "v1beta1", toStored: definitionFromBeta1 }],
    // v1.29 stores the version that states once what all versions of a definition share.
    atRest: { version: { version: "v1beta1", fromStored: definitionToBeta1 }, alwaysJson: true },
  },
  "apiregistration.k8s.io/apiservices": {
    olderVersions: versionsOfSameShape("apiregistration.k8s.io", "v1beta1"),
    atRest: { alwaysJson: true },
  },
  mutatingwebhookconfigurations: { olderVersions: [olderWebhooks()] },
  validatingwebhookconfigurations: { olderVersions: [olderWebhooks()] },
  validatingadmissionpolicies: { olderVersions: versionsOfSameShape(admission, "v1alpha1") },
  validatingadmissionpolicybindings: { olderVersions: versionsOfSameShape(admission, "v1alpha1") },
};

/** Returns v1beta1 of webhook configurations, whose defaults are laxer than those of v1. */
function olderWebhooks(): OlderVersion {
  const defaults: JsonObject = {
    failurePolicy: "Ignore",
    matchPolicy: "Exact",
    sideEffects: "Unknown",
    timeoutSeconds: 30,
    admissionReviewVersions: ["v1beta1"],
  };
  const toStored = (object: JsonObject): JsonObject => {
    const { webhooks } = object;
    return Array.isArray(webhooks)
      ? { ...object, webhooks: webhooks.map((webhook) => withDefaults(objectAt(webhook), defaults)) }
      : object;
  };
  return { group: admission, version: "v1beta1", toStored };
}

function withDefaults(members: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => !isSet(members, name));
  return { ...members, ...Object.fromEntries(missing) };
}

/** The members that v1 has in each version, by the name that v1beta1 gives the common one. */
const sharedMembers = {
  validation: "schema",
  subresources: "subresources",
  additionalPrinterColumns: "additionalPrinterColumns",
} as const;

function definitionToBeta1(object: JsonObject): JsonObject {
  const { versions: _versions, conversion, ...spec } = objectAt(object, "spec");
  const versions = listAt(object, "spec", "versions").map((version) => toBeta1Version(objectAt(version)));
  const [first] = versions;
  const shared: JsonObject = {};
  for (const [name, member] of Object.entries(sharedMembers)) {
    const value = first?.[member];
    if (versions.every((version) => isSameJson(version[member] ?? null, value ?? null))) {
      for (const version of versions) {
        delete version[member];
      }
      if (value !== undefined) {
        shared[name] = value;
      }
    }
  }
  const webhook = objectAt(conversion, "webhook");
  return {
    ...object,
    spec: present({
      ...spec,
      version: textAt(first, "name"),
      ...shared,
      versions,
      conversion: isSet(object, "spec", "conversion")
        ? present({
            strategy: textAt(conversion, "strategy"),
            webhookClientConfig: webhook["clientConfig"],
            conversionReviewVersions: webhook["conversionReviewVersions"] ?? undefined,
          })
        : undefined,
      preserveUnknownFields: spec["preserveUnknownFields"] ?? false,
    }),
  };
}

function toBeta1Version(version: JsonObject): JsonObject {
  const columns = version["additionalPrinterColumns"];
  return Array.isArray(columns)
    ? {
        ...version,
        additionalPrinterColumns: columns.map((column) => renamed(objectAt(column), "jsonPath", "JSONPath")),
      }
    : { ...version };
}

function definitionFromBeta1(object: JsonObject): JsonObject {
  const {
    version,
    versions: _versions,
    conversion,
    validation,
    subresources,
    additionalPrinterColumns,
    ...spec
  } = objectAt(object, "spec");
  const stated = listAt(object, "spec", "versions");
  const name = textAt(object, "spec", "version");
  const versions = stated.length > 0 || name === "" ? stated : [{ name, served: true, storage: true }];
  const shared = present({ schema: validation, subresources, additionalPrinterColumns });
  const { storedVersions } = objectAt(object, "status");
  const { name: stored } = objectAt(versions.find((candidate) => objectAt(candidate)["storage"] === true));
  const isUnstored = !Array.isArray(storedVersions) || storedVersions.length === 0;
  return {
    ...object,
    spec: present({
      ...spec,
      scope: spec["scope"] || "Namespaced",
      versions: versions.map((candidate) => fromBeta1Version({ ...objectAt(candidate), ...shared })),
      conversion: conversionFromBeta1(objectAt(conversion)),
      preserveUnknownFields: spec["preserveUnknownFields"] ?? true,
    }),
    status: {
      ...objectAt(object, "status"),
      storedVersions: isUnstored ? (stored === undefined ? [] : [stored]) : storedVersions,
    },
  };
}

function fromBeta1Version(version: JsonObject): JsonObject {
  const columns = version["additionalPrinterColumns"];
  return Array.isArray(columns)
    ? {
        ...version,
        additionalPrinterColumns: columns.map((column) => renamed(objectAt(column), "JSONPath", "jsonPath")),
      }
    : version;
}

function conversionFromBeta1(conversion: JsonObject): JsonObject {
  const strategy = textAt(conversion, "strategy") || "None";
  const reviewVersions = listAt(conversion, "conversionReviewVersions");
  const conversionReviewVersions = reviewVersions.length > 0 ? reviewVersions : ["v1beta1"];
  return strategy === "Webhook" || isSet(conversion, "webhookClientConfig") || reviewVersions.length > 0
    ? {
        strategy,
        webhook: present({ clientConfig: conversion["webhookClientConfig"], conversionReviewVersions }),
      }
    : { strategy };
}

function renamed(object: JsonObject, from: string, to: string): JsonObject {
  const { [from]: value, ...rest } = object;
  return { ...rest, [to]: value as JsonValue };
}
