import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionResource } from "@gatehouse/envelopes/schema";
import { metaOf } from "../../objects/object-meta.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { Webhook } from "./webhook.js";

/** A write that went on though a webhook could not be asked about it. It may have been refused for another reason since. */
export interface FailedOpen {
  /** The time, in RFC 3339. */
  readonly time: string;
  readonly type: "mutating" | "validating";
  readonly configuration: string;
  readonly webhook: string;
  /** The reason why the webhook could not be asked. */
  readonly reason: string;
  readonly operation: string;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  /** True for a dry run, which writes nothing. */
  readonly dryRun: boolean;
}

/** Returns the entry for a write; it holds nothing of the object but its name. */
export function failedOpenEntry(
  type: FailedOpen["type"],
  { configuration, name: webhook }: Webhook,
  attributes: AdmissionAttributes,
  reason: string,
): FailedOpen {
  const { operation, resource, subresource, namespace, name, object, oldObject, user, dryRun } = attributes;
  const { group, version, resource: plural } = resource;
  return {
    time: new Date().toISOString(),
    type,
    configuration,
    webhook,
    reason,
    operation,
    resource: { group, version, resource: plural },
    subresource,
    namespace,
    name: name || nameOf(object) || nameOf(oldObject),
    user: user.username,
    dryRun,
  };
}

function nameOf(object: JsonObject | undefined): string {
  return object === undefined ? "" : (metaOf(object).name ?? "");
}
