import type { JsonObject } from "@gatehouse/envelopes/json";
import type { PolicyCase } from "@gatehouse/policies/policy-cases";
import type { LibraryPolicy } from "./library-files.js";
import type { ObjectClient } from "./object-client.js";
import { type LibraryServer, runCase, seeder } from "./run-case.js";

const notTheSeeder = { name: "is-not-the-seeder", expression: `request.userInfo.username != '${seeder.username}'` };

/**
 * Puts one policy of the library into effect, sends all of its cases, and takes it away again. Then does the same with a
 * policy for the same requests that denies all of them, which shows the cases that the policy does not see. Returns the
 * differences, as sentences.
 */
export async function runLibraryPolicy(server: LibraryServer, entry: LibraryPolicy): Promise<readonly string[]> {
  return [...(await runCases(server, entry)), ...(await runCases(server, denyingAll(entry)))];
}

/** Puts one policy of the library into effect, sends all of its cases, and takes it away again. */
export async function runCases(server: LibraryServer, entry: LibraryPolicy): Promise<readonly string[]> {
  const { policy, binding, params, cases } = entry;
  const { client } = server;
  await client.put(withCondition(policy));
  await client.put(binding);
  const failures: string[] = [];
  for (const [given, group] of byParams(cases, params)) {
    await replaceParams(client, binding, given);
    // Only those that are not simply allowed show that the policy has effect.
    const telling = group.filter(isTelling);
    for (const item of [...telling, ...group.filter((other) => !telling.includes(other))]) {
      const found = await runCase(server, item);
      failures.push(...found.map((text) => `${item.file}: ${item.path}: ${item.name}: ${text}`));
    }
  }
  await client.remove(binding);
  await client.remove(policy);
  return failures;
}

function denyingAll({ policy, binding, cases, ...rest }: LibraryPolicy): LibraryPolicy {
  const { variables, auditAnnotations, ...spec } = policy["spec"] as JsonObject;
  return {
    ...rest,
    policy: { ...policy, spec: { ...spec, validations: [{ expression: "false" }] } },
    binding: { ...binding, spec: { ...(binding["spec"] as JsonObject), validationActions: ["Deny"] } },
    cases: cases.map((item) => {
      const { skipped } = item.expect;
      return { ...item, name: `${item.name}, whether skipped`, expect: { allowed: skipped, skipped } };
    }),
  };
}

/** Returns a policy as it is put into effect: it does not see what the seeder writes. */
export function withCondition(policy: JsonObject): JsonObject {
  const spec = policy["spec"] as JsonObject;
  const conditions = (spec["matchConditions"] ?? []) as JsonObject[];
  return { ...policy, spec: { ...spec, matchConditions: [...conditions, notTheSeeder] } };
}

function isTelling({ expect }: PolicyCase): boolean {
  return !expect.allowed || (expect.warnings ?? []).length > 0;
}

type Params = readonly JsonObject[];

function byParams(cases: readonly PolicyCase[], ofFile: JsonObject | undefined): Iterable<[Params, PolicyCase[]]> {
  const groups = new Map<string, [Params, PolicyCase[]]>();
  for (const item of cases) {
    const params = item.given.params ?? (ofFile === undefined ? [] : [ofFile]);
    const key = JSON.stringify(params);
    const group = groups.get(key) ?? [params, []];
    group[1].push(item);
    groups.set(key, group);
  }
  return groups.values();
}

/** Makes the server have these parameters of the binding, each a ConfigMap by the name in its paramRef, and no others. */
async function replaceParams(client: ObjectClient, binding: JsonObject, params: Params): Promise<void> {
  const { paramRef } = binding["spec"] as { readonly paramRef?: { readonly name: string; readonly namespace: string } };
  if (paramRef === undefined) {
    return;
  }
  const { name, namespace } = paramRef;
  const head = { apiVersion: "v1", kind: "ConfigMap" };
  await client.remove({ ...head, metadata: { name } }, namespace, seeder);
  for (const object of params) {
    await client.put({ ...head, ...object, metadata: { name, namespace } }, namespace, seeder);
  }
}
