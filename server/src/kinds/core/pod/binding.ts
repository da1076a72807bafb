import { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { plainOffer, sendStatus } from "@gatehouse/apiserver/http";
import { metaOf, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import type { Change, ServedResource } from "@gatehouse/apiserver/registry";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import {
  beginCreate,
  checkUid,
  expectedKind,
  keyOfNamed,
  mutateInAdmission,
  type RequestScope,
  readSentObject,
  representationFor,
  trackPostedFields,
  writeOptionsObject,
} from "@gatehouse/apiserver/verbs";
import { type JsonObject, listAt, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { badRequest, conflict, type FieldError, fieldError, notFound } from "@gatehouse/envelopes/status";

/**
 * Handles POST of /bindings or of a pod's /binding: assigns a pod to a node, once. The scope is that of pods. Throws 409 if the pod cannot be assigned.
 */
export async function createBinding(scope: RequestScope): Promise<void> {
  const { environment, context, served: pods } = scope;
  representationFor(context, plainOffer);
  const options = beginCreate(context);
  const { dryRun } = options;
  const kind = expectedKind("", "v1", "Binding");
  const binding = await readSentObject(scope, kind, options);
  const { name = "" } = metaOf(binding);
  if (context.info.subresource !== "" && name !== context.info.name) {
    throw badRequest("name in URL does not match name in Binding object");
  }
  const { subresource } = context.info;
  const isTimed = await trackPostedFields(scope, kind, binding, options);
  const attributes = new AdmissionAttributes({
    operation: "CREATE",
    caller: context,
    kind,
    resource: subresource === "" ? { group: "", version: "v1", resource: "bindings" } : pods,
    subresource,
    name,
    object: binding,
    options: writeOptionsObject("CreateOptions", options),
    dryRun,
    hasNewTime: () => isTimed,
  });
  await mutateInAdmission(environment, attributes);
  checkTarget(objectAt(binding, "target"));
  await environment.admission.validate(attributes);
  const { storage } = pods;
  const key = keyOfNamed(pods, context.info.namespace, name);
  const assign = async (entry: CacheEntry | undefined): Promise<Change> => {
    if (entry === undefined) {
      throw notFound(pods, name);
    }
    const pod = pods.form.decode(entry);
    checkUid(pods, binding, pod, options);
    bind(pods, pod, binding, timestamp(environment.now()));
    pods.form.canonicalize(pod);
    return { type: "write", object: await pods.form.toStored(pod, context) };
  };
  if (dryRun) {
    await assign(await storage.read(key));
  } else {
    await storage.change(key, assign);
  }
  sendStatus(context, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

/** Validates the target of a binding. Throws 400, where v1.29 has 500 (decisions/0008). */
function checkTarget(target: JsonObject): void {
  const kind = textAt(target, "kind");
  const errors: FieldError[] = [];
  if (kind !== "" && kind !== "Node") {
    errors.push(fieldError.notSupported("target.kind", kind, ["Node", "<empty>"]));
  }
  if (textAt(target, "name") === "") {
    errors.push(fieldError.required("target.name"));
  }
  if (errors.length > 0) {
    const texts = errors.map(({ field, message }) => `${field}: ${message}`);
    throw badRequest(texts.length === 1 ? (texts[0] as string) : `[${texts.join(", ")}]`);
  }
}

function bind(pods: ServedResource, pod: JsonObject, binding: JsonObject, now: string): void {
  const meta = metaOf(pod);
  const { annotations } = metaOf(binding);
  const name = meta.name ?? "";
  const obstacle = obstacleOf(pod, name);
  if (obstacle !== undefined) {
    throw conflict({ group: pods.group, resource: "pods/binding" }, name, obstacle);
  }
  ownObject(pod, "spec")["nodeName"] = textAt(binding, "target", "name");
  if (annotations !== undefined) {
    meta.annotations = { ...meta.annotations, ...annotations };
  }
  setCondition(pod, { type: "PodScheduled", status: "True", lastProbeTime: null }, now);
}

/** Returns the reason for which a pod cannot be assigned to a node; undefined if it can. */
function obstacleOf(pod: JsonObject, name: string): string | undefined {
  if (metaOf(pod).deletionTimestamp !== undefined) {
    return `pod ${name} is being deleted, cannot be assigned to a host`;
  }
  const nodeName = textAt(pod, "spec", "nodeName");
  if (nodeName !== "") {
    return `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`;
  }
  return listAt(pod, "spec", "schedulingGates").length > 0
    ? `pod ${name} has non-empty .spec.schedulingGates`
    : undefined;
}
