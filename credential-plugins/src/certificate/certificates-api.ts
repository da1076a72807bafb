import { HttpClientError } from "@gatehouse/component-base/errors";
import { createHttpClient, type JsonResponse } from "@gatehouse/component-base/http-client";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { CredentialError } from "../plugin/credential-error.js";
import { printable } from "../plugin/printable.js";

/** A CertificateSigningRequest, as far as it matters here. */
export interface RequestState {
  /** PEM, when it has been issued. */
  readonly certificatePem?: string;
  /** True if the request has been approved: only the signer is waited for. */
  readonly isApproved: boolean;
  /** Reason why there will be no certificate. */
  readonly refusal?: string;
}

/** Content of a certificate signing request. */
export interface RequestContent {
  /** Chosen by whoever asks, who can find the request again even if he does not live to hear the answer. */
  readonly name: string;
  readonly requestPem: string;
  readonly signerName: string;
  readonly durationMs: number;
}

/** The requests for certificates of one API server. */
export interface CertificatesApi extends Disposable {
  create(content: RequestContent, signal: AbortSignal): Promise<void>;
  /** Reads a request; undefined when it does not exist any more. */
  get(name: string, signal: AbortSignal): Promise<RequestState | undefined>;
}

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const timeoutMs = 15_000;

/**
 * Calls the API as the first of these identities that may: a certificate that still holds may renew itself where the site
 * allows that, and otherwise whoever asked for the first one asks again. Calls reject with CredentialError.
 */
export function openCertificatesApi(identities: readonly ClientConfig[]): CertificatesApi {
  const clients = identities.map((config) =>
    createHttpClient({ config, userAgent: "gatehouse-credential-certificate" }),
  );

  async function call(
    method: "GET" | "POST",
    target: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<JsonResponse> {
    let answer: JsonResponse | undefined;
    for (const client of clients) {
      try {
        answer = await client.requestJson({
          method,
          path: target,
          signal,
          timeoutMs,
          ...(body === undefined ? {} : { body }),
        });
      } catch (error) {
        if (error instanceof HttpClientError) {
          throw new CredentialError(`the API server cannot be asked for a certificate (${error.message})`);
        }
        throw error;
      }
      if (answer.status !== 401 && answer.status !== 403) {
        return answer;
      }
    }
    throw refusedBy(answer);
  }

  return {
    async create({ name, requestPem, signerName, durationMs }, signal) {
      const body = {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec: {
          request: Buffer.from(requestPem).toString("base64"),
          signerName,
          expirationSeconds: Math.round(durationMs / 1000),
          usages: ["digital signature", "client auth"],
        },
      };
      const answer = await call("POST", path, body, signal);
      if (answer.status !== 201) {
        throw refusedBy(answer);
      }
    },
    async get(name, signal) {
      const answer = await call("GET", `${path}/${encodeURIComponent(name)}`, undefined, signal);
      if (answer.status === 404) {
        return undefined;
      }
      if (answer.status !== 200) {
        throw refusedBy(answer);
      }
      return readState(answer.body);
    },
    [Symbol.dispose]() {
      for (const client of clients) {
        client[Symbol.dispose]();
      }
    },
  };
}

function refusedBy(answer: JsonResponse | undefined): CredentialError {
  const { message } = Object.assign({ message: "" }, answer?.body);
  return new CredentialError(`the API server answered ${answer?.status ?? 0}: ${printable(String(message))}`);
}

function readState(body: unknown): RequestState {
  const { metadata, status } = Object.assign({ metadata: {}, status: {} }, body);
  const { name } = Object.assign({ name: "" }, metadata);
  const { certificate, conditions } = Object.assign({ certificate: "", conditions: [] }, status);
  if (typeof name !== "string" || name === "" || typeof certificate !== "string") {
    throw new CredentialError("the API server answered with something else than a CertificateSigningRequest");
  }
  const refusal = refusalOf(conditions);
  return {
    isApproved: listOf(conditions).some((condition) => Object.assign({ type: "" }, condition).type === "Approved"),
    ...(certificate === "" ? {} : { certificatePem: Buffer.from(certificate, "base64").toString("utf8") }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function refusalOf(conditions: unknown): string | undefined {
  for (const condition of listOf(conditions)) {
    const { type, reason, message } = Object.assign({ type: "", reason: "", message: "" }, condition);
    if (type === "Denied" || type === "Failed") {
      const why = [reason, message].filter((text) => text !== "").join(": ");
      return `${type === "Denied" ? "was denied" : "has failed"}${why === "" ? "" : ` (${printable(why)})`}`;
    }
  }
  return undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
