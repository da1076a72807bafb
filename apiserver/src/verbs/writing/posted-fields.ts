import { decodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { startSteps } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import { FieldManager } from "../../managed-fields/field-manager.js";
import { noFields } from "../../managed-fields/field-set.js";
import { mergeTypeOf } from "../../managed-fields/merge-type.js";
import { onlyVersion } from "../../managed-fields/merged-kind.js";
import type { MaybePromise } from "../../request/handler.js";
import { ifLarge } from "../../request/if-large.js";
import type { ExpectedKind } from "../body/expected-kind.js";
import type { OperationScope } from "../request-scope.js";
import type { WriteOptions } from "../write-options.js";
import { writerOf } from "./field-managers.js";

/**
 * Writes into a posted document that its author owns its fields: admission sees that, though nothing of the document is
 * stored. Returns true if it owns any.
 */
export function trackPostedFields(
  scope: OperationScope,
  kind: ExpectedKind,
  document: JsonObject,
  options: WriteOptions,
): MaybePromise<boolean> {
  const { caller } = scope;
  const apiVersion = apiVersionOf(kind);
  const merged = {
    ...onlyVersion(apiVersion, mergeTypeOf(kind.schema)),
    group: kind.group,
    kind: kind.kind,
    blank: { kind: kind.kind, apiVersion, ...decodeJson(kind.schema, {}).object },
    resetFields: noFields,
    mayBeStale: false,
  };
  const manager = new FieldManager(merged, caller.info.subresource);
  return startSteps(ifLarge(caller), manager.update(undefined, document, writerOf(scope, options)));
}
