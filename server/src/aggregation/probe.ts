import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { createHttpClient, type DialAddress, goCallError } from "@gatehouse/component-base/http-client";
import type { ClientIdentity } from "@gatehouse/component-base/kubeconfig";
import { type RemoteApiService, rootPathOf } from "./api-service.js";

/** Dependencies of `probeApiService`. */
export interface ProbeOptions {
  readonly identity: ClientIdentity;
  readonly serviceAddresses: ServiceAddresses;
  readonly signal: AbortSignal;
}

/** Number of attempts of one probe, all at once, and the limit in milliseconds of each, as in v1.29. */
const attempts = 5;
const timeoutMs = 5000;
const maxResponseBytes = 8 * 1024 * 1024;

/**
 * Asks the server of an APIService for its group version. Resolves to undefined when one of the attempts succeeds,
 * otherwise to the reason of the last failure in v1.29's words. As in v1.29 the server's certificate is not verified:
 * requests that are passed on verify it.
 */
export async function probeApiService(
  apiService: RemoteApiService,
  options: ProbeOptions,
): Promise<string | undefined> {
  const { namespace, name, port } = apiService.service;
  let addresses: readonly DialAddress[];
  try {
    addresses = await options.serviceAddresses(namespace, name, port);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  let reason: string | undefined;
  const attempt = async (index: number): Promise<void> => {
    const address = addresses[index % addresses.length] as DialAddress;
    const failure = await ask(apiService, address, options.identity, signal);
    if (failure !== undefined) {
      reason = failure;
      throw new Error(failure);
    }
  };
  try {
    await Promise.any(Array.from({ length: attempts }, (_, index) => attempt(index)));
    return undefined;
  } catch {
    return reason ?? "no attempt was made";
  } finally {
    ended.abort();
  }
}

async function ask(
  apiService: RemoteApiService,
  { host, port }: DialAddress,
  identity: ClientIdentity,
  signal: AbortSignal,
): Promise<string | undefined> {
  const server = new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`);
  const path = apiService.name === "v1." ? `/api/${apiService.version}` : rootPathOf(apiService);
  const url = `https://${host.includes(":") ? `[${host}]` : host}:${port}${path}`;
  const told = (problem: string): string => `failing or missing response from ${url}: ${problem}`;
  try {
    using client = createHttpClient({ config: { ...identity, server, insecureSkipTlsVerify: true } });
    const { status } = await client.request({
      path,
      headers: { "x-remote-user": "system:kube-aggregator", "x-remote-group": "system:masters" },
      signal,
      timeoutMs,
      maxResponseBytes,
    });
    return status >= 200 && status < 300 ? undefined : told(`bad status from ${url}: ${status}`);
  } catch (error) {
    return told(error instanceof HttpClientError ? goCallError("GET", url, error) : String(error));
  }
}
