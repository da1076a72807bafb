import { isJsonObject, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { BadObjectError, prepareObject } from "../../../toolkit/testing/prepare-object.js";

/** A write that an event tells of, as far as it does. */
export interface RecordedWrite {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly object: JsonObject | undefined;
  /** The object before the write; undefined where no event shows it, and for a creation. */
  readonly oldObject: JsonObject | undefined;
  /** An AdmissionReview. */
  readonly review: JsonObject;
}

/** The verbs of writes that policies are asked about. */
const operations: ReadonlyMap<string, RecordedWrite["operation"]> = new Map([
  ["create", "CREATE"],
  ["update", "UPDATE"],
  ["patch", "UPDATE"],
  ["delete", "DELETE"],
]);

/** Returns the operation of an event; undefined if it is no write. An update that has created something is a creation. */
export function operationOf({ verb, responseStatus }: auditV1.Event): RecordedWrite["operation"] | undefined {
  const operation = operations.get(verb);
  return operation === "UPDATE" && responseStatus?.code === 201 ? "CREATE" : operation;
}

/** Returns the object of a response; undefined for a Status, and if the event has none. */
export function answeredObject({ responseObject }: auditV1.Event): JsonObject | undefined {
  const object: unknown = responseObject;
  return isJsonObject(object) && object["kind"] !== "Status" && typeof object["kind"] === "string" ? object : undefined;
}

/**
 * Returns the object that policies have seen: the answer, which has what mutating webhooks have changed; the object that
 * was sent, for one that was refused. Undefined if the event has neither: a patch that was refused shows the patch alone.
 */
export function writtenObject(event: auditV1.Event): JsonObject | undefined {
  const sent: unknown = event.requestObject;
  const isObject = isJsonObject(sent) && typeof sent["kind"] === "string" && typeof sent["apiVersion"] === "string";
  return answeredObject(event) ?? (event.verb !== "patch" && isObject ? (sent as JsonObject) : undefined);
}

/** Returns the write of an event. Undefined if it does not show the objects. */
export function recordedWrite(event: auditV1.Event, before: JsonObject | undefined): RecordedWrite | undefined {
  const operation = operationOf(event);
  const object = operation === "DELETE" ? undefined : writtenObject(event);
  const oldObject =
    operation === "CREATE" ? undefined : (before ?? (operation === "DELETE" ? answeredObject(event) : undefined));
  const shown = object ?? oldObject;
  if (operation === undefined || shown === undefined) {
    return undefined;
  }
  const review = reviewOf(event, operation, { object: placed(object, event), oldObject: placed(oldObject, event) });
  return { operation, object, oldObject, review };
}

function reviewOf(
  event: auditV1.Event,
  operation: string,
  { object, oldObject }: Pick<RecordedWrite, "object" | "oldObject">,
): JsonObject {
  const { objectRef = {}, impersonatedUser, user, requestURI, auditID } = event;
  const { apiGroup: group = "", apiVersion: version = "", resource = "", subresource = "", namespace = "" } = objectRef;
  const shown = (object ?? oldObject) as JsonObject;
  const apiVersion = textAt(shown, "apiVersion");
  const slash = apiVersion.indexOf("/");
  const kind = {
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
    kind: textAt(shown, "kind"),
  };
  const named = { group, version, resource };
  const name =
    objectRef.name || (textAt(shown, "metadata", "generateName") === "" ? textAt(shown, "metadata", "name") : "");
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: auditID,
      kind,
      resource: named,
      ...(subresource !== "" && { subResource: subresource, requestSubResource: subresource }),
      requestKind: kind,
      requestResource: named,
      ...(name !== "" && { name }),
      ...(namespace !== "" && { namespace }),
      operation,
      userInfo: (impersonatedUser ?? user) as unknown as JsonObject,
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun: new URLSearchParams(requestURI.split("?")[1] ?? "").has("dryRun"),
      options: null,
    },
  };
}

/** Returns an object with its defaults and its namespace, as policies see it. */
function placed(object: JsonObject | undefined, { objectRef }: auditV1.Event): JsonObject | undefined {
  if (object === undefined) {
    return undefined;
  }
  const namespace = objectRef?.namespace ?? "";
  const isNamespace = objectRef?.resource === "namespaces";
  const metadata = objectAt(object, "metadata");
  const inPlace = namespace === "" || isNamespace ? object : { ...object, metadata: { ...metadata, namespace } };
  try {
    return prepareObject(inPlace);
  } catch (error) {
    if (error instanceof BadObjectError) {
      // A server of another release may know other fields.
      return inPlace;
    }
    throw error;
  }
}
