import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import { metaOf } from "../objects/object-meta.js";
import type { AdmissionAttributes } from "./attributes.js";

/** Returns a 403 for a write, in the words of the plugin that refuses it. */
export function refusal(attributes: AdmissionAttributes, message: string): StatusError {
  return forbidden(attributes.resource, shownName(attributes), message);
}

/** Returns the name that a refusal shows: generated names do not exist yet. */
function shownName({ object, name }: AdmissionAttributes): string {
  if (name !== "") {
    return name;
  }
  const meta = object === undefined ? {} : metaOf(object);
  return meta.name || meta.generateName || "Unknown";
}

/**
 * Returns a 403 with the message alone, for writes that v1.29 refuses with 500 and nothing but a message
 * (decisions/0008).
 */
export function bareRefusal(message: string): StatusError {
  return new StatusError(403, "Forbidden", message);
}
