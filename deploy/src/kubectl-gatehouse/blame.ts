import { CommandError } from "@gatehouse/component-base/errors";
import type { HttpClient } from "@gatehouse/component-base/http-client";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";

/** The work of one plugin or webhook on an object, as the server reports it. */
export interface BlameEntry {
  readonly by: string;
  readonly phase: string;
  readonly ms: number;
  readonly changed: readonly string[];
}

/** An object to write in a dry run. */
export interface BlamedObject {
  readonly object: JsonObject;
  /** Namespace for an object that names none. */
  readonly namespace: string;
}

const timeoutMs = 60_000;

/** Applies an object in a dry run and returns who in admission has changed what. Rejects with CommandError. */
export async function blame(
  client: HttpClient,
  { object, namespace }: BlamedObject,
  signal: AbortSignal,
): Promise<readonly BlameEntry[]> {
  const path = await pathOf(client, object, namespace, signal);
  const response = await client.request({
    method: "PATCH",
    path: `${path}?dryRun=All&force=true&fieldManager=kubectl-gatehouse`,
    headers: {
      "content-type": "application/apply-patch+yaml",
      accept: "application/json",
      "gatehouse-blame": "true",
    },
    body: JSON.stringify(object),
    signal,
    timeoutMs,
  });
  const told = response.headers["gatehouse-blame"];
  if (typeof told === "string") {
    return JSON.parse(told) as readonly BlameEntry[];
  }
  throw new CommandError(
    response.status >= 400
      ? messageOf(response.body)
      : "the server does not tell: it must be a gatehouse-apiserver that runs with --admission-blame",
  );
}

function messageOf(body: Buffer): string {
  try {
    const status: unknown = JSON.parse(body.toString());
    return isJsonObject(status as JsonObject) ? String((status as JsonObject)["message"]) : body.toString();
  } catch {
    return body.toString();
  }
}

/** Finds the resource of the object's kind in discovery. */
async function pathOf(client: HttpClient, object: JsonObject, namespace: string, signal: AbortSignal): Promise<string> {
  const { apiVersion, kind, metadata } = object;
  const meta = isJsonObject(metadata) ? metadata : {};
  const { name } = meta;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string") {
    throw new CommandError("the object must have an apiVersion, a kind and a name");
  }
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { status, body } = await client.requestJson({ path: root, signal, timeoutMs });
  const resources = status === 200 ? ((body as JsonObject)["resources"] as readonly JsonObject[]) : [];
  const resource = resources.find((item) => item["kind"] === kind && !String(item["name"]).includes("/"));
  if (resource === undefined) {
    throw new CommandError(`the server does not serve ${kind} of ${apiVersion}`);
  }
  const scope = resource["namespaced"] === true ? `/namespaces/${String(meta["namespace"] ?? namespace)}` : "";
  return `${root}${scope}/${String(resource["name"])}/${name}`;
}

/** A table for the terminal: who, in which phase, how long, and what. */
export function blameTable(entries: readonly BlameEntry[]): string {
  const rows = [
    ["BY", "PHASE", "TIME", "CHANGED"],
    ...entries.flatMap(({ by, phase, ms, changed }) => {
      const [first = "", ...rest] = changed;
      return [[by, phase, `${ms}ms`, first], ...rest.map((path) => ["", "", "", path])];
    }),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join("");
}
