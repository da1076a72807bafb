import { setTimeout as pause } from "node:timers/promises";
import type { HttpClient, HttpResponse } from "@gatehouse/component-base/http-client";
import { type CaseRequest, group, type PolicyCase, policy } from "./policy-case.js";

/** Outcome of a case: answers to clients. Values that differ from run to run are replaced by names. */
export interface CaseOutcome {
  readonly answers: readonly {
    readonly code: number;
    readonly warnings: readonly string[];
    /** The Status; for an object nothing. */
    readonly body: unknown;
    /** Annotations of the audit event that are not about authorization. */
    readonly annotations: Readonly<Record<string, string>>;
  }[];
}

/** The server that is asked. */
export interface CaseServer {
  /** Client without credentials. */
  readonly client: HttpClient;
  /** Time in milliseconds that the server may take to notice a policy. */
  readonly settleMs: number;
  /** Returns the annotations of the audit event of a request, by the id that it was sent with. */
  readonly annotationsOf: (auditId: string) => Promise<Readonly<Record<string, string>>>;
}

const tokens = { admin: "admin-token", jane: "user-token" } as const;

/** Lines of `--token-auth-file` for the users of cases. */
export const tokenFile =
  'admin-token,kubernetes-admin,admin-uid,"system:masters"\nuser-token,jane,jane-uid,"developers"\n';

const signal = new AbortController().signal;
let requestCount = 0;

/** Runs cases whose policies are all there at the same time, each with a namespace of its own. */
export async function runCases(
  server: CaseServer,
  cases: readonly PolicyCase[],
): Promise<ReadonlyMap<string, CaseOutcome>> {
  // No name is the beginning of another one: they are replaced in answers.
  const run = cases.map((item, index) => ({ item, namespace: `case${index}-x` }));
  const problems: string[] = [];
  for (const { item, namespace } of run) {
    problems.push(...(await createAll(server, item, objectsBefore(item, namespace), namespace)));
  }
  // v1.29 looks for new kinds every ten seconds, and never again for one that it has not found.
  await pause(server.settleMs * 4);
  for (const { item, namespace } of run) {
    problems.push(...(await createAll(server, item, policiesOf(item, namespace), namespace)));
  }
  if (problems.length > 0) {
    throw new Error(`these cases cannot be asked:\n${problems.join("\n")}`);
  }
  await pause(server.settleMs);
  const outcomes = new Map<string, CaseOutcome>();
  for (const { item, namespace } of run) {
    outcomes.set(item.name, { answers: await ask(server, item.requests, namespace) });
  }
  for (const { item, namespace } of run) {
    for (const path of objectsOf(item, namespace).map(({ path: at, body }) => `${at}/${body.metadata.name}`)) {
      await send(server, { method: "DELETE", path }, namespace);
    }
    await ask(server, item.after ?? [], namespace);
  }
  return outcomes;
}

function objectsBefore({ before = [] }: PolicyCase, namespace: string): readonly CaseRequest[] {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  return [{ method: "POST", path: "/api/v1/namespaces", body }, ...before];
}

function policiesOf(item: PolicyCase, namespace: string): readonly CaseRequest[] {
  return objectsOf(item, namespace).map(({ path, body }) => ({ method: "POST", path, body }));
}

/** Sends requests that must succeed. Returns the refusals. */
async function createAll(
  server: CaseServer,
  { name }: PolicyCase,
  requests: readonly CaseRequest[],
  namespace: string,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const request of requests) {
    const { status, body } = await sendOrWait(server, request, namespace);
    if (status >= 300) {
      problems.push(`${name}: ${request.path}: ${status} ${body.toString()}`);
    }
  }
  return problems;
}

/** Sends a request, or repeats it until it succeeds. */
export async function sendOrWait(server: CaseServer, request: CaseRequest, namespace: string): Promise<HttpResponse> {
  if (request.method !== "WAIT") {
    return send(server, request, namespace);
  }
  for (;;) {
    const response = await send(server, { ...request, method: "GET" }, namespace);
    if (response.status === 200) {
      return response;
    }
    await pause(50);
  }
}

function objectsOf(
  { policies = [] }: PolicyCase,
  namespace: string,
): readonly { readonly path: string; readonly body: { readonly metadata: { readonly name: string } } }[] {
  return policies.flatMap(({ name: prefix = "p", spec, bindings = [{}] }) => {
    const name = `${prefix}-${namespace}`;
    return [
      { path: `${group}/validatingadmissionpolicies`, body: policy(name, spec) as never },
      ...bindings.map((binding, index) => ({
        path: `${group}/validatingadmissionpolicybindings`,
        body: {
          apiVersion: "admissionregistration.k8s.io/v1beta1",
          kind: "ValidatingAdmissionPolicyBinding",
          metadata: { name: `${prefix}-b${index}-${namespace}` },
          spec: { policyName: name, validationActions: ["Deny"], ...binding },
        },
      })),
    ];
  });
}

async function ask(
  server: CaseServer,
  requests: readonly CaseRequest[],
  namespace: string,
): Promise<CaseOutcome["answers"]> {
  const answers: CaseOutcome["answers"][number][] = [];
  for (const request of requests) {
    const auditId = `case-${process.pid}-${requestCount++}`;
    const { status, headers, body } = await send(server, request, namespace, auditId);
    const annotations = Object.entries(await server.annotationsOf(auditId))
      .filter(([key]) => !noise.test(key))
      .map(([key, value]) => [key.replaceAll(namespace, "{ns}"), value.replaceAll(namespace, "{ns}")])
      .sort();
    answers.push({
      code: status,
      warnings: [headers["warning"] ?? []].flat().map((text) => text.replaceAll(namespace, "{ns}")),
      body: statusOf(
        body
          .toString()
          .replaceAll(namespace, "{ns}")
          .replaceAll(/gen-[a-z0-9]{5}/g, "gen-NAME"),
      ),
      annotations: Object.fromEntries(annotations),
    });
  }
  return answers;
}

/** Annotations of others than policies. */
const noise =
  /^(?:authorization\.k8s\.io|why\.authorization\.gatehouse\.dev|apiserver\.latency\.k8s\.io|pod-security.*)\//;

/** The Status in a body; undefined if it holds anything else. */
function statusOf(text: string): unknown {
  const body = JSON.parse(text) as { readonly kind?: string; readonly status?: unknown };
  return body.kind === "Status" && body.status === "Failure" ? body : null;
}

function send(
  { client }: CaseServer,
  { method, path, body, as = "admin" }: CaseRequest,
  namespace: string,
  auditId = "",
): Promise<HttpResponse> {
  return client.request({
    method,
    path: path.replaceAll("{ns}", namespace),
    headers: {
      "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
      accept: "application/json",
      authorization: `Bearer ${tokens[as]}`,
      ...(auditId === "" ? {} : { "audit-id": auditId }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body).replaceAll("{ns}", namespace) }),
    signal,
    timeoutMs: 60_000,
  });
}
