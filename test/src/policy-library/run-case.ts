import type { JsonObject } from "@gatehouse/envelopes/json";
import type { CaseOutcome, CaseRequest, PolicyCase } from "@gatehouse/policies/policy-cases";
import { nameOf } from "./library-files.js";
import type { ActingUser, Answer, ObjectClient } from "./object-client.js";
import { policyWarnings } from "./warnings.js";

/** The user whose writes no policy sees: the objects that cases find. */
export const seeder: ActingUser = { username: "seeder", groups: ["system:masters"] };

/** Sends the request of a case as a dry run, to a server that has the objects of the case. */
export async function runCase(client: ObjectClient, { given, expect }: PolicyCase, isLast: IsLast): Promise<string[]> {
  await makeNamespace(client, given);
  const seed = seedOf(given);
  if (seed !== undefined) {
    await client.remove(seed, given.namespace, seeder);
    await client.must("POST", await client.collectionOf(seed, given.namespace), [201], seed, seeder);
  }
  let found = differences(await answerTo(client, given), expect);
  while (found.length > 0 && !(await isLast())) {
    found = differences(await answerTo(client, given), expect);
  }
  if (seed !== undefined) {
    await client.remove(seed, given.namespace, seeder);
  }
  return found;
}

/** Waits until a policy may have had effect, and reports whether there is no use in asking again. */
export type IsLast = () => Promise<boolean>;

async function makeNamespace(client: ObjectClient, { namespace, namespaceObject }: CaseRequest): Promise<void> {
  if (namespaceObject !== undefined) {
    await client.put(namespaceObject, undefined, seeder);
  } else if (namespace !== undefined) {
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    await client.must("POST", "/api/v1/namespaces", [201, 409], object, seeder);
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
    return client.send("POST", `${collection}?dryRun=All`, object, user);
  }
  const path = [collection, nameOf(shown), ...(subResource === "" ? [] : [subResource])].join("/");
  return client.send(object === undefined ? "DELETE" : "PUT", `${path}?dryRun=All`, object, user);
}

function differences(answer: Answer, { allowed, first = {}, warnings = [] }: CaseOutcome): string[] {
  const isAllowed = answer.status < 300;
  const text = String(answer.body["message"] ?? "");
  const [, message = text] = /denied request: (.*)$/s.exec(text) ?? [];
  const compare = (what: string, expected: unknown, actual: unknown): string[] =>
    JSON.stringify(expected) === JSON.stringify(actual)
      ? []
      : [`${what}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`];
  return [
    ...(isAllowed === allowed ? [] : [`allowed: expected ${allowed}, was ${isAllowed}: ${text}`]),
    ...(first.message === undefined ? [] : compare("message", first.message, message)),
    ...(first.reason === undefined ? [] : compare("reason", first.reason, answer.body["reason"])),
    ...compare("warnings", warnings, policyWarnings(answer)),
  ];
}
