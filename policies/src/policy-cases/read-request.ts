import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { applyMergePatch } from "@gatehouse/envelopes/json-patch";
import type { gatehousepoliciesV1alpha1 } from "@gatehouse/envelopes/types";
import type { CaseRequest, Operation } from "./policy-case.js";
import type { Report } from "./report.js";

type Given = gatehousepoliciesV1alpha1.PolicyCaseRequest;
type NamedObjects = NonNullable<gatehousepoliciesV1alpha1.PolicyCases["objects"]>;

const operations: ReadonlySet<string> = new Set<Operation>(["CREATE", "UPDATE", "DELETE", "CONNECT"]);

/** Objects that each operation has, and that it must not have. */
const objectsOf: Readonly<Record<Operation, { readonly needs: readonly Side[]; readonly lacks: readonly Side[] }>> = {
  CREATE: { needs: ["object"], lacks: ["oldObject"] },
  UPDATE: { needs: ["object", "oldObject"], lacks: [] },
  DELETE: { needs: ["oldObject"], lacks: ["object"] },
  CONNECT: { needs: ["object"], lacks: ["oldObject"] },
};

type Side = "object" | "oldObject";

/** Reads the request of a case and puts its objects together. Undefined: it has none, which is reported. */
export function readRequest(given: Given, objects: NamedObjects, report: Report): CaseRequest | undefined {
  if (given.base !== undefined && !Object.hasOwn(objects, given.base)) {
    report("base", `there is no object ${JSON.stringify(given.base)} in objects`);
    return undefined;
  }
  const base = given.base === undefined ? undefined : (objects[given.base] as JsonObject);
  const neither = given.object == null && given.oldObject == null;
  const object = neither ? base : overlay(base, given.object);
  const oldObject = overlay(base, given.oldObject);
  if (object === undefined && oldObject === undefined) {
    report("object", "is required, or oldObject for a deletion, or base");
    return undefined;
  }
  const operation = readOperation(given.operation, { object, oldObject }, report);
  checkObject("object", object, report);
  checkObject("oldObject", oldObject, report);
  if (object && oldObject && (object["kind"] !== oldObject["kind"] || nameOf(object) !== nameOf(oldObject))) {
    report("oldObject", "must have the kind and the name of object");
  }
  const namespace = readNamespace(given, (object ?? oldObject) as JsonObject, report);
  return {
    operation,
    ...(object && { object }),
    ...(oldObject && { oldObject }),
    ...(given.resource !== undefined && { resource: given.resource }),
    subResource: given.subResource ?? "",
    ...(namespace !== undefined && { namespace }),
    ...(given.namespaceObject && { namespaceObject: given.namespaceObject }),
    ...(given.params && { params: given.params }),
    userInfo: given.userInfo,
    access: given.access ?? [],
    dryRun: given.dryRun ?? false,
    ...(given.options && { options: given.options }),
  };
}

function overlay(base: JsonObject | undefined, patch: JsonObject | null | undefined): JsonObject | undefined {
  return patch == null ? undefined : base === undefined ? patch : applyMergePatch(base, patch);
}

function readOperation(
  stated: string | undefined,
  sides: Readonly<Record<Side, JsonObject | undefined>>,
  report: Report,
): Operation {
  const implied = sides.oldObject === undefined ? "CREATE" : sides.object === undefined ? "DELETE" : "UPDATE";
  if (stated === undefined) {
    return implied;
  }
  if (!operations.has(stated)) {
    report("operation", `must be one of ${[...operations].join(", ")}`);
    return implied;
  }
  const operation = stated as Operation;
  for (const side of objectsOf[operation].needs.filter((needed) => sides[needed] === undefined)) {
    report(side, `is required for ${operation}`);
  }
  for (const side of objectsOf[operation].lacks.filter((lacking) => sides[lacking] !== undefined)) {
    report(side, `must not be there for ${operation}`);
  }
  return operation;
}

function checkObject(side: Side, object: JsonObject | undefined, report: Report): void {
  for (const member of object === undefined ? [] : ["apiVersion", "kind"]) {
    if (typeof object?.[member] !== "string" || object[member] === "") {
      report(`${side}.${member}`, "is required");
    }
  }
}

function readNamespace(given: Given, shown: JsonObject, report: Report): string | undefined {
  const ofObject = metadataOf(shown)["namespace"];
  const stated = given.namespace ?? (typeof ofObject === "string" ? ofObject : undefined);
  if (typeof ofObject === "string" && ofObject !== stated) {
    report("namespace", `must be that of the object, ${JSON.stringify(ofObject)}`);
  }
  if (given.namespaceObject && nameOf(given.namespaceObject) !== (stated ?? "default")) {
    report(
      "namespaceObject.metadata.name",
      `must be the namespace of the request, ${JSON.stringify(stated ?? "default")}`,
    );
  }
  return stated;
}

function nameOf(object: JsonObject): JsonValue | undefined {
  return metadataOf(object)["name"];
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
