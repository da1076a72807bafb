import type { JsonObject } from "@gatehouse/envelopes";
import { integerAt, textAt } from "../objects/json-fields.js";
import { metaOf } from "../objects/object-meta.js";
import { forEachLimited } from "./for-each-limited.js";
import type { ClientResource, ObjectClient, ObservedObject } from "./object-client.js";

/** What one attempt to delete the contents of a namespace has led to. */
export interface RemainingContent {
  /** Objects that are still there, by `<resource>.<group>`. */
  readonly byResource: ReadonlyMap<string, number>;
  /** Objects that a finalizer holds, by finalizer. */
  readonly byFinalizer: ReadonlyMap<string, number>;
  /** Sentences for people. */
  readonly errors: readonly string[];
}

const deletionsAtATime = 64;
const terminatingMark = Buffer.from('"deletionTimestamp"');
/** Finalizers that a deletion in the background takes off again. */
const collectionMarks = [Buffer.from('"foregroundDeletion"'), Buffer.from('"orphan"')];

/**
 * Deletes every object in a namespace, in the background, pods with their own grace periods, and tells what is left.
 * `deletedAtMs` is when the namespace was deleted: pods that are there much longer than their grace period are an error.
 */
export async function deleteNamespaceContents(
  client: ObjectClient,
  namespace: string,
  deletedAtMs: number,
  nowMs: number,
): Promise<RemainingContent> {
  const byResource = new Map<string, number>();
  const byFinalizer = new Map<string, number>();
  const errors: string[] = [];
  for (const resource of client.resources()) {
    if (!resource.namespaced || !resource.verbs.includes("delete")) {
      continue;
    }
    // Most namespaces have no objects of most kinds.
    if ((await client.count(resource, namespace)) === 0) {
      continue;
    }
    const graceSeconds = isPods(resource) ? await longestGraceSeconds(client, resource, namespace) : 0;
    const problem = await deleteAll(client, resource, namespace);
    const left = await client.list(resource, namespace);
    if (problem !== undefined) {
      errors.push(problem);
    }
    if (left.length === 0) {
      continue;
    }
    byResource.set(`${resource.resource}.${resource.group}`, left.length);
    const held = countFinalizers(left, byFinalizer);
    const graceIsOver = nowMs - deletedAtMs >= graceSeconds * 1000;
    if (problem === undefined && !held && graceIsOver) {
      errors.push(`unexpected items still remain in namespace: ${namespace} for gvr: ${gvrText(resource)}`);
    }
  }
  return { byResource, byFinalizer, errors };
}

async function deleteAll(
  client: ObjectClient,
  resource: ClientResource,
  namespace: string,
): Promise<string | undefined> {
  const objects = await client.list(resource, namespace);
  const errors = await forEachLimited(objects.filter(needsDeletion), deletionsAtATime, ({ name }) =>
    client.delete(resource, namespace, name, { propagationPolicy: "Background" }),
  );
  const first = errors[0];
  return first === undefined ? undefined : first instanceof Error ? first.message : "an error that is not an Error";
}

function needsDeletion({ entry }: ObservedObject): boolean {
  return !entry.bytes.includes(terminatingMark) || collectionMarks.some((mark) => entry.bytes.includes(mark));
}

/** Adds to the counts. True when any finalizer was there. */
function countFinalizers(objects: readonly ObservedObject[], counts: Map<string, number>): boolean {
  let any = false;
  for (const { entry } of objects) {
    for (const finalizer of metaOf(entry.object()).finalizers ?? []) {
      counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
      any = true;
    }
  }
  return any;
}

function isPods(resource: ClientResource): boolean {
  return resource.group === "" && resource.resource === "pods";
}

async function longestGraceSeconds(client: ObjectClient, resource: ClientResource, namespace: string): Promise<number> {
  const pods = await client.list(resource, namespace);
  return pods.reduce((longest, { entry }) => Math.max(longest, graceSecondsOf(entry.object())), 0);
}

function graceSecondsOf(pod: JsonObject): number {
  const phase = textAt(pod, "status", "phase");
  return phase === "Succeeded" || phase === "Failed"
    ? 0
    : Number(integerAt(pod, "spec", "terminationGracePeriodSeconds"));
}

function gvrText({ group, version, resource }: ClientResource): string {
  return `${group}/${version}, Resource=${resource}`;
}
