import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { authoritiesOf } from "@gatehouse/component-base/tls";
import { parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { RequestHeaderOptions } from "../authentication/request-header.js";
import type { ServerLog } from "../logs/server-log.js";
import { FollowedObjects } from "./followed-objects.js";
import type { FrontClient } from "./front-client.js";

/** The authorities of clients and front proxies, and the headers of front proxies, as they are now. */
export interface AuthenticationConfig {
  /** The authorities of clients, as PEM; empty for none. */
  readonly clientAuthorities: string;
  /** The authorities of front proxies, as PEM; empty for none. */
  readonly proxyAuthorities: string;
  readonly requestHeader: RequestHeaderOptions;
}

const [namespace, name] = ["kube-system", "extension-apiserver-authentication"];
const collection = `/api/v1/namespaces/${namespace}/configmaps`;

/** The configuration of which nothing is known yet: nobody is believed. */
export const noAuthenticationConfig: AuthenticationConfig = Object.freeze({
  clientAuthorities: "",
  proxyAuthorities: "",
  requestHeader: { allowedNames: [], usernameHeaders: [], groupHeaders: [], extraHeaderPrefixes: [] },
});

/** The surroundings of the authentication configuration. */
export interface FollowAuthenticationConfigOptions {
  readonly log: ServerLog;
  readonly signal: AbortSignal;
  /** True if a ConfigMap that cannot be read fails the start. */
  readonly isRequired: boolean;
}

/**
 * Reads the ConfigMap `kube-system/extension-apiserver-authentication` of the API server in front, and follows it. Returns
 * a function that tells the configuration as it is now. Parts that cannot be used leave those before in place, and so does
 * the deletion of the ConfigMap. One that does not exist yet is waited for. Rejects when it cannot be read now and
 * `isRequired`; otherwise that is logged.
 */
export async function followAuthenticationConfig(
  client: FrontClient,
  { log, signal, isRequired }: FollowAuthenticationConfigOptions,
): Promise<() => AuthenticationConfig> {
  let current = noAuthenticationConfig;
  const take = (configMap: JsonObject): void => {
    const { config, problems } = revised(current, configMap);
    current = config;
    for (const problem of problems) {
      log.authenticationConfigRefused(problem);
    }
  };
  try {
    take(await client.get(`${collection}/${name}`, signal));
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 404)) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isRequired) {
        throw new ConfigurationError("authentication configuration", [problemAt(`${namespace}/${name}`, reason)]);
      }
      log.authenticationConfigRefused(reason);
    }
  }
  const followed = new FollowedObjects({
    client,
    path: async () => collection,
    selector: `fieldSelector=metadata.name%3D${name}`,
    onTrouble: (error) => log.frontUnreachable(`${namespace}/${name}`, error),
    signal,
  });
  followed.tell({
    present: (_namespace, _name, configMap) => {
      const before = current;
      take(configMap);
      if (current !== before) {
        log.authenticationConfigTaken();
      }
    },
    gone: () => log.authenticationConfigRefused(`the ConfigMap ${namespace}/${name} is gone`),
  });
  return () => current;
}

/** Returns the configuration that a ConfigMap makes of the one before; the same one when nothing has changed. */
function revised(
  before: AuthenticationConfig,
  configMap: JsonObject,
): { readonly config: AuthenticationConfig; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const value = (key: string): string => textAt(configMap, "data", key);
  const authorities = (key: string, known: string): string => {
    try {
      return value(key) === "" ? known : authoritiesOf(value(key)).join("");
    } catch (error) {
      problems.push(`${key} ${error instanceof Error ? error.message : "cannot be read"}`);
      return known;
    }
  };
  const config: AuthenticationConfig = {
    clientAuthorities: authorities("client-ca-file", before.clientAuthorities),
    proxyAuthorities: authorities("requestheader-client-ca-file", before.proxyAuthorities),
    requestHeader: headersOf(value, problems) ?? before.requestHeader,
  };
  return { config: JSON.stringify(config) === JSON.stringify(before) ? before : config, problems };
}

/** Returns the headers and names of front proxies; undefined when one of the lists cannot be read. */
function headersOf(value: (key: string) => string, problems: string[]): RequestHeaderOptions | undefined {
  const list = (key: string): readonly string[] => {
    const texts = listOf(value(key));
    if (texts === undefined) {
      problems.push(`${key} is not a list of strings in JSON`);
    }
    return texts ?? [];
  };
  const known = problems.length;
  const headers: RequestHeaderOptions = {
    allowedNames: list("requestheader-allowed-names"),
    usernameHeaders: list("requestheader-username-headers"),
    groupHeaders: list("requestheader-group-headers"),
    extraHeaderPrefixes: list("requestheader-extra-headers-prefix"),
  };
  return problems.length === known ? headers : undefined;
}

function listOf(text: string): readonly string[] | undefined {
  if (text === "") {
    return [];
  }
  try {
    const { value } = parseJson(text);
    return value === null
      ? []
      : Array.isArray(value) && value.every((item) => typeof item === "string")
        ? (value as readonly string[])
        : undefined;
  } catch (error) {
    if (error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}
