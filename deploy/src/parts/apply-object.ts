import type { HttpClient } from "@gatehouse/component-base/http-client";
import { StartError } from "../start-error.js";

const timeoutMs = 10_000;

/** Makes an object of the stack as it should be, whoever has changed it. Rejects with StartError when it is refused. */
export async function applyObject(
  client: HttpClient,
  path: string,
  object: object,
  signal: AbortSignal,
): Promise<void> {
  const { status, body } = await client.requestJson({
    method: "PATCH",
    path: `${path}?fieldManager=gatehouse-up&force=true`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: object,
    signal,
    timeoutMs,
  });
  if (status >= 300) {
    throw refusal(path, status, body);
  }
}

/** Deletes an object of the stack if it is there. Rejects with StartError when that is refused. */
export async function deleteObject(client: HttpClient, path: string, signal: AbortSignal): Promise<void> {
  const { status, body } = await client.requestJson({ method: "DELETE", path, signal, timeoutMs });
  if (status >= 300 && status !== 404) {
    throw refusal(path, status, body);
  }
}

function refusal(path: string, status: number, body: unknown): StartError {
  const message = typeof body === "object" && body !== null && "message" in body ? String(body.message) : "";
  return new StartError(`the API server did not take what the stack needs at ${path}: ${status} ${message}`.trimEnd());
}
