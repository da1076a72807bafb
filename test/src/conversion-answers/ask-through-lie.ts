import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ApiClient } from "../spec/support/api-client.js";
import { until } from "../support/until.js";
import { type Lie, lies } from "./lies.js";
import { group, type LyingWebhook, siteDefinition } from "./lying-webhook.js";

/** Answer to a request while the webhook lied. */
export interface AnswerThroughLie {
  readonly code: number;
  /** Message of an error. */
  readonly message?: string;
  /** Body of any other answer, without values that are new each time, and without managed fields. */
  readonly body?: string;
}

/** The requests that make the server ask the webhook. */
export const requests = ["get", "list", "create", "update"] as const;
type Request = (typeof requests)[number];

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const collection = (version: string): string => `/apis/${group}/${version}/namespaces/default/sites`;

function site(version: string, name: string): JsonObject {
  const spec = version === "v1" ? { host: `host of ${name}` } : { hostname: `host of ${name}` };
  return { apiVersion: `${group}/${version}`, kind: "Site", metadata: { name, labels: { its: name } }, spec };
}

/** Defines the kind anew and waits until it is served. */
export async function defineSites(client: ApiClient, { url }: LyingWebhook, authorityPem: string): Promise<void> {
  await client.delete(`${definitionsPath}/sites.${group}`);
  await until("no definition is left", async () => {
    return (await client.get(`${definitionsPath}/sites.${group}`)).status === 404;
  });
  const made = await client.post(definitionsPath, siteDefinition(url, authorityPem));
  if (made.status !== 201) {
    throw new Error(made.text);
  }
  await until("the kind is served", async () => (await client.get(collection("v2"))).status === 200);
}

/** Two objects are stored; then each request is sent while the webhook lies; then what is stored is looked at. */
export async function askThroughLie(
  client: ApiClient,
  webhook: LyingWebhook,
  lie: Lie,
  asked: readonly Request[] = requests,
): Promise<Readonly<Record<string, AnswerThroughLie>>> {
  const truth = lies["the truth"] as Lie;
  webhook.tell(truth);
  for (const name of ["a", "b"]) {
    await client.post(collection("v1"), site("v1", name));
  }
  const answers: Record<string, AnswerThroughLie> = {};
  for (const request of asked) {
    webhook.tell(lie);
    try {
      answers[request] = summaryOf(await send(client, request));
    } finally {
      webhook.tell(truth);
    }
  }
  answers["stored"] = summaryOf(await client.get(collection("v1")));
  await client.delete(collection("v1"));
  return answers;
}

function send(client: ApiClient, request: Request): ReturnType<ApiClient["get"]> {
  switch (request) {
    case "get":
      return client.get(`${collection("v2")}/a`);
    case "list":
      return client.get(collection("v2"));
    case "create":
      return client.post(collection("v2"), site("v2", "c"));
    case "update":
      return client.patch(`${collection("v2")}/b`, "application/merge-patch+json", { spec: { port: 81 } });
  }
}

function summaryOf({ status, text }: Awaited<ReturnType<ApiClient["get"]>>): AnswerThroughLie {
  const known = text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/"20\d\d-\d\d-\d\dT[\d:]+Z"/g, '"TIME"')
    .replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"REVISION"')
    .replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS")
    .replaceAll(/"managedFields":\[.*?\}\],/g, "")
    .trim();
  if (status < 400) {
    return { code: status, body: known.length > 4000 ? `${known.length} characters` : known };
  }
  return { code: status, message: comparable((JSON.parse(known) as { message: string }).message) };
}

/**
 * Returns a message without the differences between runs of v1.29, namely the version that is converted first when both
 * are needed, and without those that come from v1.29 sending the objects of a list one by one.
 */
function comparable(message: string): string {
  return message
    .replaceAll(/(webhook for|expected) convert\.example\.com\/v[12]/g, "$1 VERSION")
    .replace(/received convert\.example\.com\/v[12]\)/, "received VERSION)")
    .replace(/returned invalid (converted )?object at index 0:/, "returned invalid object:")
    .replace(/ in object at index 0:/, ":")
    .replace(/\d objects, expected \d/, "COUNT objects")
    .replace(/(Object 'Kind' is missing in) '\{.+\}'$/s, "$1 OBJECT");
}
