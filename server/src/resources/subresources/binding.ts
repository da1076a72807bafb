import {
  badRequest,
  conflict,
  fieldError,
  invalid,
  isJsonObject,
  type JsonObject,
  kindSchema,
  notFound,
} from "@gatehouse/envelopes";
import { plainOffer } from "../../http/negotiation.js";
import type { RequestContext } from "../../request/request-context.js";
import { metaOf, timestamp } from "../object-meta.js";
import type { Change } from "../resource-storage.js";
import type { ServedResource } from "../served-resource.js";
import { checkNamespace } from "../verbs/create.js";
import { decodeBody, type ExpectedKind } from "../verbs/decode-body.js";
import { representationFor, respondWithStatus } from "../verbs/respond.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { parseWriteOptions } from "../verbs/write-options.js";

function bindingKind(): ExpectedKind {
  const kind = kindSchema("", "v1", "Binding");
  if (kind === undefined) {
    throw new Error("no schema for Binding");
  }
  return { group: "", version: "v1", kind: "Binding", schema: kind.schema };
}

/** POST of /bindings or of a pod's /binding: assigns a pod to a node, once. `pods` is the resource that is bound. */
export async function createBinding(
  environment: VerbEnvironment,
  context: RequestContext,
  pods: ServedResource,
): Promise<void> {
  representationFor(context, plainOffer);
  const options = parseWriteOptions(context.query, "CreateOptions");
  const binding = await decodeBody(context, bindingKind(), options.fieldValidation);
  checkNamespace(binding, pods, context.info.namespace);
  if (context.info.subresource !== "") {
    if (metaOf(binding).name !== context.info.name) {
      throw badRequest("name in URL does not match name in Binding object");
    }
  }
  const name = metaOf(binding).name ?? "";
  const target = isJsonObject(binding["target"]) ? binding["target"] : {};
  checkTarget(name, target);
  const nodeName = String(target["name"]);
  const { storage } = pods;
  const key = storage.keyOf(context.info.namespace, name);
  const { dryRun } = options;
  const bind = async (pod: JsonObject): Promise<JsonObject> => {
    const old = structuredClone(pod);
    assign(pods, pod, binding, nodeName, environment.now());
    const attributes = {
      operation: "CREATE",
      caller: context,
      served: pods,
      subresource: "binding",
      object: pod,
      oldObject: old,
      dryRun,
    } as const;
    await environment.admission.mutate(attributes);
    await environment.admission.validate(attributes);
    return pod;
  };
  if (dryRun) {
    const entry = await storage.read(key);
    if (entry === undefined) {
      throw notFound(pods, name);
    }
    await bind(pods.objectOf(entry));
  } else {
    await storage.change(key, async (entry): Promise<Change> => {
      if (entry === undefined) {
        throw notFound(pods, name);
      }
      return { type: "write", object: await bind(pods.objectOf(entry)) };
    });
  }
  respondWithStatus(context, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

function checkTarget(name: string, target: JsonObject): void {
  const kind = target["kind"] ?? "";
  if (kind !== "" && kind !== "Node") {
    throw invalid({ group: "", kind: "Binding" }, name, [
      fieldError.notSupported("target.kind", kind, ["Node", "<empty>"]),
    ]);
  }
  if (typeof target["name"] !== "string" || target["name"] === "") {
    throw invalid({ group: "", kind: "Binding" }, name, [fieldError.required("target.name")]);
  }
}

function assign(pods: ServedResource, pod: JsonObject, binding: JsonObject, nodeName: string, nowMs: number): void {
  const meta = metaOf(pod);
  const bindingMeta = metaOf(binding);
  const name = meta.name ?? "";
  if (bindingMeta.uid !== undefined && bindingMeta.uid !== "" && bindingMeta.uid !== meta.uid) {
    throw conflict(
      pods,
      name,
      `Precondition failed: UID in precondition: ${bindingMeta.uid}, UID in object meta: ${meta.uid ?? ""}`,
    );
  }
  if (meta.deletionTimestamp !== undefined) {
    throw conflict(pods, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const spec = pod["spec"];
  if (!isJsonObject(spec)) {
    throw badRequest(`pod ${name} has no spec`);
  }
  if (typeof spec["nodeName"] === "string" && spec["nodeName"] !== "") {
    throw conflict(pods, name, `pod ${name} is already assigned to node ${JSON.stringify(spec["nodeName"])}`);
  }
  spec["nodeName"] = nodeName;
  if (bindingMeta.annotations !== undefined) {
    meta.annotations = { ...meta.annotations, ...bindingMeta.annotations };
  }
  setScheduledCondition(pod, timestamp(nowMs));
}

function setScheduledCondition(pod: JsonObject, now: string): void {
  const status: JsonObject = isJsonObject(pod["status"]) ? pod["status"] : {};
  const conditions = Array.isArray(status["conditions"]) ? status["conditions"] : [];
  const rest = conditions.filter((item) => !(isJsonObject(item) && item["type"] === "PodScheduled"));
  status["conditions"] = [
    ...rest,
    { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: now },
  ];
  pod["status"] = status;
}
