import { decodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import { FieldManager, type Writer } from "../../managed-fields/field-manager.js";
import { noFields } from "../../managed-fields/field-set.js";
import { mergeTypeOf } from "../../managed-fields/merge-type.js";
import { onlyVersion } from "../../managed-fields/merged-kind.js";
import type { ExpectedKind } from "../body/decode-body.js";

/**
 * Writes into a posted document that its author owns its fields: admission sees that, though nothing of the document is
 * stored.
 */
export function trackPostedFields(kind: ExpectedKind, subresource: string, document: JsonObject, writer: Writer): void {
  const apiVersion = apiVersionOf(kind);
  const merged = {
    ...onlyVersion(apiVersion, mergeTypeOf(kind.schema)),
    group: kind.group,
    kind: kind.kind,
    blank: { kind: kind.kind, apiVersion, ...decodeJson(kind.schema, {}).object },
    resetFields: noFields,
    mayBeStale: false,
  };
  new FieldManager(merged, subresource).updateAtOnce(undefined, document, writer);
}
