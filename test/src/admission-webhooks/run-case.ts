import { setTimeout as pause } from "node:timers/promises";
import type { HttpClient, HttpResponse } from "@gatehouse/component-base/http-client";
import type { HookServers } from "./hook-server.js";
import type { CaseRequest, CaseWebhook, WebhookCase } from "./webhook-case.js";

/**
 * Outcome of a case: the answers to clients, and the calls of webhooks. Values that differ from run to run are replaced
 * by names.
 */
export interface CaseOutcome {
  readonly answers: readonly { readonly code: number; readonly warnings: readonly string[]; readonly body: unknown }[];
  readonly calls: readonly { readonly path: string; readonly headers: unknown; readonly review: unknown }[];
}

/** The server that is asked. */
export interface CaseServer {
  readonly client: HttpClient;
  /** Time in milliseconds that the server may take to notice a configuration. */
  readonly settleMs: number;
}

const signal = new AbortController().signal;

/** Runs a case in a namespace of its own. */
export async function runCase(
  server: CaseServer,
  hooks: HookServers,
  item: WebhookCase,
  namespace: string,
): Promise<CaseOutcome> {
  const send = (request: CaseRequest): Promise<HttpResponse> => sendRequest(server.client, request, namespace, hooks);
  hooks.hooks = item.others ?? {};
  await send({ method: "POST", path: "/api/v1/namespaces", body: namespaceOf(namespace) });
  for (const request of item.before ?? []) {
    await must(send(request), item.name);
  }
  const configurations = configurationsOf(item.webhooks, hooks, namespace);
  for (const { path, body } of configurations) {
    await must(send({ method: "POST", path, body }), item.name);
  }
  hooks.hooks = {
    ...item.others,
    ...Object.fromEntries(item.webhooks.flatMap(({ name, hook }) => (hook === undefined ? [] : [[`/${name}`, hook]]))),
  };
  await pause(server.settleMs);
  hooks.received.length = 0;
  const answers: HttpResponse[] = [];
  for (const request of item.requests) {
    answers.push(await send(request));
  }
  const calls = hooks.received.filter(({ path }) => item.others?.[path.split("?", 1)[0] ?? ""] === undefined);
  for (const { path, body } of configurations) {
    await must(send({ method: "DELETE", path: `${path}/${body.metadata.name}` }), item.name);
  }
  await pause(server.settleMs);
  for (const request of item.after ?? []) {
    await send(request);
  }
  return {
    answers: answers.map(({ status, headers, body }) => ({
      code: status,
      warnings: [headers["warning"] ?? []].flat(),
      body: stable(body.toString(), hooks, namespace),
    })),
    calls: calls
      .map(({ path, headers, review }) => ({
        path,
        headers: {
          "user-agent": headers["user-agent"],
          accept: headers["accept"],
          "content-type": headers["content-type"],
          host: hooks.named(headers["host"] ?? ""),
        },
        review: stable(JSON.stringify(review), hooks, namespace),
      }))
      // Validating webhooks are called all at a time.
      .map((call, index) => ({ call, index }))
      .sort((a, b) => (isValidating(a.call) && isValidating(b.call) ? compare(a, b) : a.index - b.index))
      .map(({ call }) => call),
  };
}

function isValidating({ path }: { readonly path: string }): boolean {
  return path.startsWith("/v");
}

function compare(a: { call: { path: string } }, b: { call: { path: string } }): number {
  return a.call.path < b.call.path ? -1 : a.call.path > b.call.path ? 1 : 0;
}

async function must(pending: Promise<HttpResponse>, name: string): Promise<void> {
  const { status, body } = await pending;
  if (status >= 300) {
    throw new Error(`${name}: ${status} ${body.toString()}`);
  }
}

async function sendRequest(
  client: HttpClient,
  request: CaseRequest,
  namespace: string,
  hooks: HookServers,
): Promise<HttpResponse> {
  if (request.method === "WAIT") {
    for (;;) {
      const response = await sendRequest(client, { ...request, method: "GET" }, namespace, hooks);
      if (response.status === 200) {
        return response;
      }
      await pause(50);
    }
  }
  const filledIn = (template: string): string =>
    template
      .replaceAll("{ns}", namespace)
      .replaceAll("{GOOD}", hooks.url("GOOD"))
      .replaceAll("{CA}", () => hooks.caBundle);
  const { method, path, body, contentType = "application/json" } = request;
  const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  return client.request({
    method,
    path: path.replaceAll("{ns}", namespace),
    headers: { "content-type": contentType, accept: "application/json", "user-agent": "case/1" },
    ...(text === undefined ? {} : { body: filledIn(text) }),
    signal,
    timeoutMs: 60_000,
  });
}

function namespaceOf(name: string) {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { case: name } } };
}

interface Configuration {
  readonly path: string;
  readonly body: { readonly metadata: { readonly name: string }; readonly webhooks: object[] };
}

function configurationsOf(webhooks: readonly CaseWebhook[], hooks: HookServers, namespace: string): Configuration[] {
  const byName = new Map<string, Configuration>();
  for (const { type, name, at = "GOOD", more = {} } of webhooks) {
    const webhook = {
      name: `${name}.example.com`,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { url: `${hooks.url(at)}/${name}`, caBundle: hooks.caBundle },
      rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      ...more,
    };
    const kind = type === "mutating" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
    const resource = `${kind.toLowerCase()}s`;
    const [configurationName = name] = name.split("-");
    const known = byName.get(`${resource}/${configurationName}`);
    if (known !== undefined) {
      known.body.webhooks.push(webhook);
      continue;
    }
    byName.set(`${resource}/${configurationName}`, {
      path: `/apis/admissionregistration.k8s.io/v1/${resource}`,
      body: Object.assign(
        { apiVersion: "admissionregistration.k8s.io/v1", kind },
        { metadata: { name: configurationName }, webhooks: [webhook] },
      ),
    });
  }
  return [...byName.values()];
}

const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A document with names in place of what no two runs have in common. */
function stable(text: string, hooks: HookServers, namespace: string): unknown {
  const named = hooks
    .named(text)
    .replaceAll(namespace, "{ns}")
    .replaceAll(uid, "UID")
    .replaceAll(/"generated-[a-z0-9]{5}(?=\\?")/g, '"generated-NAME')
    .replaceAll(hooks.caBundle, "{CA}")
    .replaceAll(/"token":"[^"]+"/g, '"token":"TOKEN"')
    .replaceAll(/current time [^ ]+ is after [^ "]+/g, "current time NOW is after THEN");
  let value: unknown;
  try {
    value = JSON.parse(named);
  } catch {
    return named;
  }
  return withoutNoise(value);
}

function withoutNoise(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutNoise(item));
    // In the order of their times, which are seconds.
    return key === "managedFields" ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (typeof value === "object" && value !== null) {
    if ("reason" in value && value.reason === "Timeout") {
      // v1.29 leaves out what the document is when it has no time left.
      Object.assign(value, { kind: "Status", apiVersion: "v1" });
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutNoise(item, name)]));
  }
  if (typeof value === "string") {
    return key === "resourceVersion" && value !== "" ? "VERSION" : times.test(value) ? "TIME" : value;
  }
  return value;
}
