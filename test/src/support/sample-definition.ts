import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { until } from "./until.js";

/** The path of the definitions of custom resources. */
export const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A definition of `<plural>.<group>` with one version, v1, and any spec. */
export function sampleDefinition(plural: string, kind: string, group: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { cron: { type: "string" } } } },
            },
          },
        },
      ],
      ...spec,
    },
  };
}

/** The answer to a request. */
export interface Sent {
  readonly status: number;
  readonly text: string;
  /** The parsed body of an answer in JSON. */
  readonly body: JsonObject;
}

/** Sends a request as the administrator. */
export async function send(server: ControlPlane, method: string, path: string, body?: JsonObject): Promise<Sent> {
  const answer = await server.client.request({
    method,
    path,
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    headers: { "Content-Type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
  const text = answer.body.toString();
  return { status: answer.status, text, body: parsed(text) };
}

/** Parses an answer; streams and pages give an empty object. */
function parsed(text: string): JsonObject {
  return text.startsWith("{") && !text.includes("\n{") ? (JSON.parse(text) as JsonObject) : {};
}

/** Makes a definition and waits until its resources are served. */
export async function define(server: ControlPlane, definition: JsonObject): Promise<void> {
  const { status, text } = await send(server, "POST", definitionsPath, definition);
  if (status !== 201) {
    throw new Error(text);
  }
  const { name } = definition["metadata"] as { name: string };
  const { group, names } = definition["spec"] as { group: string; names: { plural: string } };
  await until(`${name} is served`, async () => {
    return (await send(server, "GET", `/apis/${group}/v1/${names.plural}`)).status === 200;
  });
}

/** The conditions of a definition without their times, by type. */
export async function conditionsOf(server: ControlPlane, name: string): Promise<Record<string, string>> {
  const { body } = await send(server, "GET", `${definitionsPath}/${name}`);
  const status = body["status"] as { conditions?: { type: string; status: string; reason: string; message: string }[] };
  return Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status: is, reason, message }) => [type, `${is} ${reason}: ${message}`]),
  );
}
