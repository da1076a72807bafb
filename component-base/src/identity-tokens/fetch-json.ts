import { goCallError } from "../http-client/go-error-text.js";
import { createHttpClient } from "../http-client/http-client.js";
import { HttpClientError } from "../http-client/http-client-error.js";
import type { HttpResponse } from "../http-client/http-request.js";

/** Something that an issuer should have said and did not, in v1.29's words where it has any. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

/** How issuers are asked. */
export interface IssuerCall {
  readonly url: string;
  readonly certificateAuthorityPem: string | undefined;
  /** Sent as bearer token. */
  readonly accessToken?: string;
  readonly signal: AbortSignal;
}

/** Issuers answer soon, or are asked again. */
const timeoutMs = 10_000;
/** Key sets have some kilobytes. */
const maxResponseBytes = 1024 * 1024;

/** GET from an issuer over HTTPS. Rejects with IssuerError when there is no answer. */
export async function getFromIssuer(call: IssuerCall): Promise<HttpResponse> {
  const { url, certificateAuthorityPem, accessToken, signal } = call;
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    throw new IssuerError(`Get ${JSON.stringify(url)}: it is no https URL`);
  }
  using client = createHttpClient({
    config: {
      server: new URL(url),
      insecureSkipTlsVerify: false,
      ...(certificateAuthorityPem === undefined ? {} : { certificateAuthorityPem }),
    },
    maxConnections: 1,
  });
  const headers = accessToken === undefined || accessToken === "" ? {} : { authorization: `Bearer ${accessToken}` };
  try {
    return await client.request({ headers, signal, timeoutMs, maxResponseBytes });
  } catch (error) {
    throw error instanceof HttpClientError ? new IssuerError(goCallError("GET", url, error), { cause: error }) : error;
  }
}

/** The JSON object that an issuer answers with. Rejects with IssuerError. */
export async function getJsonFromIssuer(call: IssuerCall, what: string): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await getFromIssuer(call);
  if (status !== 200) {
    throw new IssuerError(`${what} failed: status ${status}`);
  }
  try {
    const value: unknown = JSON.parse(body.toString());
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Said below.
  }
  throw new IssuerError(`${what} failed: the answer is no JSON object`);
}
