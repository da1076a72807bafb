import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { goQuote, parseDuration, parseGoUrl } from "@gatehouse/envelopes/go";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";
import type { KmsProvider } from "./encryption-configuration.js";

/** The defaults of v1.29. */
const defaults = { apiVersion: "v1", timeout: "3s", cacheSize: 1000 } as const;

/** The other providers of a configuration, and how it is used. */
export interface KmsContext {
  /** Names of the services before this one; its own is added. */
  readonly names: Set<string>;
  /** True if the file is followed: names are unique then, of v1 too. */
  readonly isReloaded: boolean;
}

/** Returns a key management service with its defaults, and adds its problems, in the words of v1.29. */
export function resolveKms(
  kms: apiserverconfigV1.KMSConfiguration,
  path: string,
  { names, isReloaded }: KmsContext,
  problems: Problem[],
): KmsProvider {
  const { name = "", endpoint = "", cachesize, timeout = defaults.timeout } = kms;
  const apiVersion = kms.apiVersion || defaults.apiVersion;
  const report = (member: string, text: string): void => void problems.push(problemAt(`${path}.${member}`, text));
  const invalid = (member: string, value: string, text: string): void =>
    report(member, `Invalid value: ${value}: ${text}`);
  if (name === "") {
    report("name", "Required value: name is a mandatory field for a provider");
  }
  if (apiVersion !== "v1" && name.includes(":")) {
    invalid("name", goQuote(name), `invalid KMS provider name ${name}, must not contain ':'`);
  }
  if ((isReloaded || apiVersion !== "v1") && names.has(name)) {
    invalid("name", goQuote(name), `duplicate KMS provider name ${name}, names must be unique`);
  }
  names.add(name);
  const nanoseconds = nanosecondsOf(timeout);
  if (nanoseconds === undefined) {
    invalid("timeout", goQuote(String(timeout)), "is not a duration");
  } else if (nanoseconds <= 0n) {
    invalid("timeout", `v1.Duration{Duration:${nanoseconds}}`, "timeout should be a positive value");
  }
  const endpointProblem = problemOfEndpoint(endpoint);
  if (endpointProblem !== undefined) {
    invalid("endpoint", goQuote(endpoint), endpointProblem);
  }
  if (apiVersion !== "v1" && cachesize !== undefined) {
    invalid("cachesize", String(cachesize), "cachesize is not supported in v2");
  } else if (cachesize === 0) {
    invalid("cachesize", "0", "cachesize should be a positive value, or negative to disable");
  }
  if (apiVersion !== "v1" && apiVersion !== "v2") {
    const text = "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported";
    invalid("apiVersion", goQuote(apiVersion), text);
  }
  return {
    type: "kms",
    apiVersion: apiVersion === "v2" ? "v2" : "v1",
    name,
    endpoint,
    timeoutMs: Number(nanoseconds ?? 0n) / 1e6,
    cacheSize: cachesize ?? defaults.cacheSize,
  };
}

function problemOfEndpoint(endpoint: string): string | undefined {
  if (endpoint === "") {
    return "endpoint is a mandatory field for a kms";
  }
  const url = parseGoUrl(endpoint);
  if (url instanceof Error) {
    return `invalid endpoint for kms provider, error: ${url.message}`;
  }
  const { scheme, path } = url;
  if (scheme === "unix" && path.startsWith("/@") && !reachesAbstractSockets()) {
    return "sockets in the abstract namespace need Node 22 or newer: the libuv of this one pads their names";
  }
  return scheme === "unix"
    ? undefined
    : `unsupported scheme ${goQuote(scheme)} for KMS provider, only unix is supported`;
}

/** Reports whether Node can name a socket in the abstract namespace exactly: from libuv 1.48 on. */
function reachesAbstractSockets(): boolean {
  const [major = 0, minor = 0] = (process.versions["uv"] ?? "").split(".").map(Number);
  return major > 1 || minor >= 48;
}

function nanosecondsOf(text: unknown): bigint | undefined {
  try {
    return typeof text === "string" ? parseDuration(text) : undefined;
  } catch {
    return undefined;
  }
}
