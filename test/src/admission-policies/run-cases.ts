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
  const run = cases.map((item, index) => ({ item, namespace: `case${index}` }));
  const problems: string[] = [];
  for (const { item, namespace } of run) {
    problems.push(...(await setUp(server, item, namespace)));
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

/** Creates the objects of a case. Returns the refusals. */
async function setUp(server: CaseServer, item: PolicyCase, namespace: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  const objects = objectsOf(item, namespace).map(({ path, body: sent }) => ({ method: "POST", path, body: sent }));
  for (const request of [{ method: "POST", path: "/api/v1/namespaces", body }, ...(item.before ?? []), ...objects]) {
    const { status, body: answer } = await sendOrWait(server, request, namespace);
    if (status >= 300) {
      problems.push(`${item.name}: ${request.path}: ${status} ${answer.toString()}`);
    }
  }
  return problems;
}

async function sendOrWait(server: CaseServer, request: CaseRequest, namespace: string): Promise<HttpResponse> {
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
      .filter(([key]) => !key.startsWith("authorization.k8s.io/") && !key.startsWith("pod-security"))
      .map(([key, value]) => [key.replaceAll(namespace, "{ns}"), value.replaceAll(namespace, "{ns}")])
      .sort();
    answers.push({
      code: status,
      warnings: [headers["warning"] ?? []].flat().map((text) => text.replaceAll(namespace, "{ns}")),
      body: statusOf(body.toString().replaceAll(namespace, "{ns}")),
      annotations: Object.fromEntries(annotations),
    });
  }
  return answers;
}

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
