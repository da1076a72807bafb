import { isIP } from "node:net";
import type { FeatureGates, RuntimeConfig } from "@gatehouse/apiserver/options";
import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import type { AggregationConfig } from "./aggregation.js";

const group = "Other API servers of the cluster";

/** The flags of the other API servers of the cluster, as kube-apiserver names them. */
export const peerFlags = {
  "peer-ca-file": {
    type: "path",
    group,
    help: "`file` with the authorities of the serving certificates of other API servers of the cluster. Requests for what this server does not serve are passed on to them.",
  },
  "peer-advertise-ip": {
    type: "string",
    default: "",
    group,
    help: "The address at which other API servers of the cluster reach this one. Given together with --peer-advertise-port.",
  },
  "peer-advertise-port": {
    type: "string",
    default: "",
    group,
    help: "The port at which other API servers of the cluster reach this one. Given together with --peer-advertise-ip.",
  },
} as const satisfies FlagTable;

/** The configuration of the other API servers of the cluster. */
export interface PeersConfig {
  /** The files by which they are known, and this server to them; undefined where nothing is passed on to them. */
  readonly trust: { readonly authorityFile: string; readonly certFile: string; readonly keyFile: string } | undefined;
  /** The address at which they reach this server; undefined for the advertised one. */
  readonly advertised: { readonly host: string; readonly port: number } | undefined;
}

const storageVersionApi = "internal.apiserver.k8s.io/v1alpha1";

/** Returns what is to be said of a server that cannot tell others in which versions it stores objects, though it should. */
export function warningsAboutStorageVersions(gates: FeatureGates, runtimeConfig: RuntimeConfig): readonly string[] {
  const isOn = gates.enabled("StorageVersionAPI") && gates.enabled("APIServerIdentity");
  return !isOn || runtimeConfig.serves(storageVersionApi, "storageversions", false)
    ? []
    : [
        `--feature-gates: StorageVersionAPI is on and StorageVersions are not served, so that no write is taken; --runtime-config=${storageVersionApi}=true serves them`,
      ];
}

const feature = "UnknownVersionInteroperabilityProxy";

/** Checks the flags of other API servers. Undefined where the feature is off. */
export function resolvePeers(
  flags: FlagValues<typeof peerFlags>,
  gates: FeatureGates,
  { proxyClient }: Pick<AggregationConfig, "proxyClient">,
  problems: Problem[],
): PeersConfig | undefined {
  if (!gates.enabled(feature)) {
    for (const name of ["peer-ca-file", "peer-advertise-ip", "peer-advertise-port"] as const) {
      if ((flags[name] ?? "") !== "") {
        problems.push({ path: `--${name}`, message: `--${name} requires ${feature} feature to be turned on` });
      }
    }
    return undefined;
  }
  if (!gates.enabled("StorageVersionAPI")) {
    const problem = `${feature} feature requires StorageVersionAPI feature flag to be enabled`;
    problems.push(problemAt("--feature-gates", problem));
  }
  const authorityFile = flags["peer-ca-file"];
  if (authorityFile !== undefined && proxyClient === undefined) {
    const problem = "error building peer proxy handler, proxy-cert-file not specified";
    problems.push(problemAt("--proxy-client-cert-file", problem));
  }
  return {
    trust: authorityFile === undefined || proxyClient === undefined ? undefined : { authorityFile, ...proxyClient },
    advertised: resolveAddress(flags, problems),
  };
}

/** Returns the address of this server. As in v1.29 one part of it alone counts for nothing. */
function resolveAddress(flags: FlagValues<typeof peerFlags>, problems: Problem[]): PeersConfig["advertised"] {
  const host = flags["peer-advertise-ip"];
  const text = flags["peer-advertise-port"];
  const port = Number(text);
  if (host !== "" && isIP(host) === 0 && validateDns1123Subdomain(host).length > 0) {
    problems.push(problemAt("--peer-advertise-ip", `${JSON.stringify(host)} is no address`));
  }
  if (text !== "" && !(/^\d+$/.test(text) && port >= 1 && port <= 65_535)) {
    problems.push(problemAt("--peer-advertise-port", `${JSON.stringify(text)} is no port`));
  }
  return host === "" || text === "" ? undefined : { host, port };
}
