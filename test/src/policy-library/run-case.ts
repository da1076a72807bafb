import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { CaseRequest, PolicyCase } from "@gatehouse/policies/policy-cases";
import { nameOf } from "./library-files.js";
import type { ActingUser, Answer, ObjectClient } from "./object-client.js";
import { policyWarnings } from "./warnings.js";

/** The user whose writes no policy sees: the objects that cases find. */
export const seeder: ActingUser = { username: "seeder", groups: ["system:masters"] };

/** A server that is asked. */
export interface LibraryServer {
  readonly client: ObjectClient;
  /** Milliseconds that policies and parameters may take to have effect. */
  readonly patienceMs: number;
  /** Returns the annotations of an audit event; undefined: they cannot be seen, and are not compared. */
  readonly annotationsOf?: (auditId: string) => Promise<Readonly<Record<string, string>>>;
}

/**
 * Sends the request of a case as a dry run, to a server that has the objects of the case; again, until the answer is as
 * expected or patience ends. Returns the differences, as sentences.
 */
export async function runCase(server: LibraryServer, item: PolicyCase): Promise<string[]> {
  const { client, patienceMs } = server;
  const { given } = item;
  await makeNamespace(client, given);
  const seed = seedOf(given);
  if (seed !== undefined) {
    await client.remove(seed, given.namespace, seeder);
    const path = await client.collectionOf(seed, given.namespace);
    await client.must([201], { method: "POST", path, body: seed, user: seeder });
  }
  const end = Date.now() + patienceMs;
  let found = await differences(server, item);
  while (found.length > 0 && Date.now() < end) {
    await pause(200);
    found = await differences(server, item);
  }
  if (seed !== undefined) {
    await client.remove(seed, given.namespace, seeder);
  }
  return found;
}

async function makeNamespace(client: ObjectClient, { namespace, namespaceObject }: CaseRequest): Promise<void> {
  if (namespaceObject !== undefined) {
    await client.put(namespaceObject, undefined, seeder);
  } else if (namespace !== undefined) {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    await client.must([201, 409], { method: "POST", path: "/api/v1/namespaces", body, user: seeder });
  }
}

/**
 * Returns the object that must be there before the request: the old one, or the workload that is scaled. Undefined for a
 * creation, and for namespaces, which a server always has.
 */
function seedOf({ oldObject, resource = "", subResource }: CaseRequest): JsonObject | undefined {
  if (oldObject === undefined || oldObject["kind"] === "Namespace") {
    return undefined;
  }
  if (subResource !== "scale") {
    return oldObject;
  }
  const kind = resource.startsWith("statefulsets") ? "StatefulSet" : "Deployment";
  const labels = { app: "scaled" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a:1" }] } };
  const spec = { ...(oldObject["spec"] as JsonObject), selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind, metadata: oldObject["metadata"] as JsonObject, spec };
}

async function answerTo(client: ObjectClient, given: CaseRequest): Promise<Answer> {
  const { object, oldObject, namespace, subResource } = given;
  const user = given.userInfo as ActingUser | undefined;
  const shown = (seedOf(given) ?? oldObject ?? object) as JsonObject;
  const collection = await client.collectionOf(shown, namespace);
  if (oldObject === undefined) {
    return client.send({ method: "POST", path: `${collection}?dryRun=All`, body: object, user });
  }
  const path = [collection, nameOf(shown), ...(subResource === "" ? [] : [subResource])].join("/");
  const method = object === undefined ? "DELETE" : "PUT";
  return client.send({ method, path: `${path}?dryRun=All`, body: object, user });
}

async function differences({ client, annotationsOf }: LibraryServer, item: PolicyCase): Promise<string[]> {
  const { allowed, first = {}, warnings = [], auditAnnotations } = item.expect;
  const answer = await answerTo(client, item.given);
  const isAllowed = answer.status < 300;
  const text = String(answer.body["message"] ?? "");
  const [, message = text] = /denied request: (.*)$/s.exec(text) ?? [];
  const found = [
    ...(isAllowed === allowed ? [] : [`allowed: expected ${allowed}, was ${isAllowed}: ${text}`]),
    ...(first.message === undefined ? [] : compare("message", first.message, message)),
    ...(first.reason === undefined ? [] : compare("reason", first.reason, answer.body["reason"])),
    ...compare("warnings", warnings, policyWarnings(answer)),
  ];
  if (auditAnnotations !== undefined && annotationsOf !== undefined) {
    const all = Object.entries(await annotationsOf(String(answer.headers["audit-id"])));
    const ofPolicies = all.filter(([key]) => item.policies.some((policy) => key.startsWith(`${policy}/`)));
    found.push(...compare("auditAnnotations", auditAnnotations, Object.fromEntries(ofPolicies)));
  }
  return found;
}

function compare(what: string, expected: unknown, actual: unknown): string[] {
  return JSON.stringify(expected) === JSON.stringify(actual)
    ? []
    : [`${what}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`];
}
