import {
  awaitsCollection,
  type ClientResource,
  forEachLimited,
  isLostRace,
  isTerminating,
  type ObjectClient,
  type ObservedObject,
  uidOf,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { integerAt, type JsonObject } from "@gatehouse/envelopes/json";
import { noRemoteObjects, type RemoteObjects } from "../../aggregation/remote-objects.js";
import { hasEnded } from "../../pods/has-ended.js";
import { namespaces } from "../core-resources.js";
import type { RemainingContent } from "./remaining-content.js";
import { deleteRemoteContents } from "./remote-contents.js";

/** The part of ObjectClient that deletes the contents of a namespace. */
export type ContentsClient = Pick<ObjectClient, "resources" | "find" | "count" | "list" | "get" | "delete">;

const deletionsAtATime = 64;

/** A namespace that is being deleted, or is gone. */
export interface DoomedNamespace {
  readonly name: string;
  /** The uid; undefined when the namespace is gone. One with another uid is another namespace. */
  readonly uid: string | undefined;
  /**
   * The time of deletion in milliseconds since the epoch: pods that exist much longer than their grace period after it
   * are an error.
   */
  readonly deletedAtMs: number;
}

/**
 * Deletes every object in a namespace, in the background, pods with their own grace periods, and returns the rest.
 * Undefined as soon as there is another namespace of that name: its contents are left alone.
 */
export async function deleteNamespaceContents(
  client: ContentsClient,
  doomed: DoomedNamespace,
  nowMs: number,
  remote: RemoteObjects = noRemoteObjects,
): Promise<RemainingContent | undefined> {
  const own = await deleteOwnContents(client, doomed, nowMs);
  const elsewhere = own && (await deleteRemoteContents(remote, doomed.name, () => isStillThat(client, doomed)));
  return (
    elsewhere && {
      byResource: new Map([...own.byResource, ...elsewhere.byResource]),
      byFinalizer: sums(own.byFinalizer, elsewhere.byFinalizer),
      errors: [...own.errors, ...elsewhere.errors],
      undiscovered: elsewhere.undiscovered,
    }
  );
}

function sums(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...a, ...Array.from(b, ([key, count]): [string, number] => [key, count + (a.get(key) ?? 0)])]);
}

async function deleteOwnContents(
  client: ContentsClient,
  doomed: DoomedNamespace,
  nowMs: number,
): Promise<RemainingContent | undefined> {
  const { name: namespace, deletedAtMs } = doomed;
  const byResource = new Map<string, number>();
  const byFinalizer = new Map<string, number>();
  const errors: string[] = [];
  for (const resource of client.resources()) {
    if (!resource.namespaced || !resource.verbs.includes("delete")) {
      continue;
    }
    if (client.find(resource) === undefined) {
      continue; // A custom resource whose definition has gone meanwhile.
    }
    // Most namespaces have no objects of most kinds.
    if ((await client.count(resource, namespace)) === 0) {
      continue;
    }
    const graceSeconds = isPods(resource) ? await longestGraceSeconds(client, resource, namespace) : 0;
    const objects = await client.list(resource, namespace);
    // Asked after the list: what is in it was made before another namespace could be.
    if (!(await isStillThat(client, doomed))) {
      return undefined;
    }
    const problem = await deleteAll(client, resource, namespace, objects);
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
  return { byResource, byFinalizer, errors, undiscovered: [] };
}

async function deleteAll(
  client: ContentsClient,
  resource: ClientResource,
  namespace: string,
  objects: readonly ObservedObject[],
): Promise<string | undefined> {
  const errors = await forEachLimited(objects.filter(needsDeletion), deletionsAtATime, ({ name, entry }) =>
    deleteThat(client, resource, namespace, name, uidOf(entry)),
  );
  const first = errors[0];
  return first === undefined ? undefined : first instanceof Error ? first.message : "an error that is not an Error";
}

/** Deletes one object, not another that has replaced it. */
async function deleteThat(
  client: ContentsClient,
  resource: ClientResource,
  namespace: string,
  name: string,
  uid: string,
): Promise<void> {
  try {
    await client.delete(resource, namespace, name, {
      propagationPolicy: "Background",
      ...(uid === "" ? {} : { preconditions: { uid } }),
    });
  } catch (error) {
    if (!isLostRace(error)) {
      throw error;
    }
  }
}

async function isStillThat(client: ContentsClient, { name, uid }: DoomedNamespace): Promise<boolean> {
  const namespace = await client.get(namespaces, "", name);
  return namespace === undefined || metaOf(namespace).uid === uid;
}

/**
 * Reports whether an object is still to be deleted: one that the garbage collector holds is, since a deletion in the
 * background removes its finalizers.
 */
function needsDeletion({ entry }: ObservedObject): boolean {
  return !isTerminating(entry) || awaitsCollection(entry);
}

/** Adds to the counts. Returns true when any finalizer was there. */
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

async function longestGraceSeconds(
  client: ContentsClient,
  resource: ClientResource,
  namespace: string,
): Promise<number> {
  const pods = await client.list(resource, namespace);
  return pods.reduce((longest, { entry }) => Math.max(longest, graceSecondsOf(entry.object())), 0);
}

function graceSecondsOf(pod: JsonObject): number {
  return hasEnded(pod) ? 0 : Number(integerAt(pod, "spec", "terminationGracePeriodSeconds"));
}

function gvrText({ group, version, resource }: ClientResource): string {
  return `${group}/${version}, Resource=${resource}`;
}
