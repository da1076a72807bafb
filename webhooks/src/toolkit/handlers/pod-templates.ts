import { copyJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type AdmissionDecision, allow, patch, withNotes } from "../decision/decision.js";
import { createJsonPatch } from "../json-patch/create-json-patch.js";
import type { AdmissionRequest } from "./admission-request.js";
import { applyPatch } from "./apply-patch.js";
import type { Handler, HandlerContext } from "./handler.js";

/** Paths of the pod template by `group/Kind`. An empty path stands for a pod itself. */
const templatePaths: ReadonlyMap<string, readonly string[]> = new Map([
  ["/Pod", []],
  ["/PodTemplate", ["template"]],
  ["/ReplicationController", ["spec", "template"]],
  ["apps/DaemonSet", ["spec", "template"]],
  ["apps/Deployment", ["spec", "template"]],
  ["apps/ReplicaSet", ["spec", "template"]],
  ["apps/StatefulSet", ["spec", "template"]],
  ["batch/Job", ["spec", "template"]],
  ["batch/CronJob", ["spec", "jobTemplate", "spec", "template"]],
]);

const podKind = Object.freeze({ group: "", version: "v1", kind: "Pod" });
const podResource = Object.freeze({ group: "", version: "v1", resource: "pods" });

/**
 * Returns a handler of all built-in workloads that shows their pod template to a handler of pods, as a pod in the
 * namespace of the request, without a name. Its changes are made in the template. Other kinds, and subresources, are
 * allowed. `workloads` of a hook does this, too.
 */
export function inPodTemplates(handler: Handler): Handler {
  return (request, context) => {
    const path = templatePaths.get(`${request.kind.group}/${request.kind.kind}`);
    if (path === undefined || request.subResource !== "") {
      return allow();
    }
    return path.length === 0 ? handler(request, context) : judgeTemplate(handler, path, request, context);
  };
}

async function judgeTemplate(
  handler: Handler,
  path: readonly string[],
  request: AdmissionRequest,
  context: HandlerContext,
): Promise<AdmissionDecision> {
  const { object, oldObject, namespace } = request;
  const pod = podOf(templateAt(object, path), namespace);
  const oldPod = podOf(templateAt(oldObject, path), namespace);
  if (pod === undefined && oldPod === undefined) {
    return allow();
  }
  const asked = { ...request, kind: podKind, resource: podResource, object: pod, oldObject: oldPod };
  const decision = await handler(asked as unknown as AdmissionRequest, context);
  if (!decision.allowed || decision.patch.length === 0 || pod === undefined || object === undefined) {
    return decision;
  }
  const changed = copyJson(object) as JsonObject;
  const template = templateAt(changed, path) as JsonObject;
  const { metadata, spec } = applyPatch(pod, decision.patch);
  template["metadata"] = withoutNamespace(metadata);
  template["spec"] = spec;
  return withNotes(patch(createJsonPatch(object, changed)), decision);
}

function templateAt(object: JsonObject | undefined, path: readonly string[]): JsonObject | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path) {
    value = isJsonObject(value) ? value[step] : undefined;
  }
  return isJsonObject(value) ? value : undefined;
}

function podOf(template: JsonObject | undefined, namespace: string): JsonObject | undefined {
  if (template === undefined) {
    return undefined;
  }
  const metadata = isJsonObject(template["metadata"]) ? template["metadata"] : {};
  return { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, namespace }, spec: template["spec"] };
}

/** Returns the metadata of a template, which names no namespace; undefined when nothing else is in it. */
function withoutNamespace(metadata: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(metadata)) {
    return undefined;
  }
  const { namespace: _namespace, ...rest } = metadata;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
