import { HttpClientError } from "../errors.js";
import { goCallError } from "../http-client/go-error-text.js";
import { createHttpClient } from "../http-client/http-client.js";
import type { HttpResponse } from "../http-client/http-request.js";

/** Thrown when an issuer does not answer as it must, in v1.29's words where it has any. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

/** One call to an issuer. */
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

/** Maximum number of redirects, as in Go's client. */
const maxRedirects = 10;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * GET from an issuer over HTTPS, and from where it says that the answer is, over HTTPS as well. Rejects with IssuerError when
 * there is no answer.
 */
export async function getFromIssuer(call: IssuerCall): Promise<HttpResponse> {
  let { url, accessToken = "" } = call;
  for (let followed = 0; ; followed++) {
    const response = await getOnce({ ...call, url, accessToken });
    const location = redirects.has(response.status) ? response.headers["location"] : undefined;
    if (typeof location !== "string" || !URL.canParse(location, url)) {
      return response;
    }
    if (followed === maxRedirects) {
      throw new IssuerError(`Get ${JSON.stringify(location)}: stopped after ${maxRedirects} redirects`);
    }
    const target = new URL(location, url);
    // What one host may see is not for another one.
    accessToken = target.host === new URL(url).host ? accessToken : "";
    url = target.href;
  }
}

async function getOnce(call: IssuerCall): Promise<HttpResponse> {
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
