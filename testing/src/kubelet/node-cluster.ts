import type { HttpClient, JsonResponse } from "@gatehouse/component-base/http-client";
import type { CertificateAndKey } from "@gatehouse/component-base/pki";

/** The API server that a node belongs to. Every control plane of this kit is one. */
export interface NodeCluster {
  /** Requests as somebody who may write nodes, leases and pods. */
  readonly client: HttpClient;
  /** The authority that signs the node's serving certificate and that client certificates are verified with. */
  readonly certificates: { readonly authority: CertificateAndKey };
}

/** A request to the API of a cluster, with a deadline of its own. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

const requestTimeoutMs = 10_000;

/** Sends a request; bodies of PATCH are merge patches. */
export async function callApi({ client }: NodeCluster, request: ApiRequest): Promise<JsonResponse> {
  const headers = request.method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {};
  return await client.requestJson({ ...request, headers, timeoutMs: requestTimeoutMs });
}

/** Throws with the server's message unless the answer has one of the statuses. */
export function assertStatus({ status, body }: JsonResponse, what: string, ...expected: readonly number[]): void {
  if (!expected.includes(status)) {
    throw new Error(`${what}: the API server answered ${status}: ${(body as { message?: string })?.message ?? ""}`);
  }
}
