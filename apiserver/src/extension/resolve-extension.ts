import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type ClientConfig, inClusterConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { Logger } from "@gatehouse/component-base/logs";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { selectAdmissionPlugins } from "../admission/plugin-definition.js";
import { resolveAudit } from "../audit/outputs/resolve-audit.js";
import { etcdKeyPrefix, resolveEtcd } from "../options/etcd.js";
import { parseFeatureGates } from "../options/feature-gates.js";
import { resolveServingCertificate, resolveTls } from "../options/tls.js";
import { resolveWatchCaches } from "../options/watch-caches.js";
import type { ApiGroup } from "../resources/api-group.js";
import { alwaysAllowPathProblem } from "./always-allow-paths.js";
import { etcdStore } from "./etcd-store.js";
import type { ExtensionFlagValues } from "./extension-flags.js";
import { type ExtensionPlugin, extensionPlugins } from "./front-admission.js";
import type { ExtensionServerOptions } from "./start-extension-server.js";
import { checkStoreInFront, isInFront, storeInFront } from "./store-in-front.js";

/** An extension API server as its program states it. */
export interface ExtensionProgram
  extends Omit<ExtensionServerOptions, "front" | "admission" | "groups" | "keyPrefix" | "requestHeader"> {
  /** The name of the program in messages and in the certificate that it makes: `wardle`. */
  readonly name: string;
  readonly groups: readonly ApiGroup[];
  /** The prefix of all keys in the store, with a slash at its end; `/registry/NAME/` when absent. */
  readonly keyPrefix?: string;
  /** Admission plugins besides those of every extension API server, which run before them. */
  readonly admissionPlugins?: readonly ExtensionPlugin[];
}

/** The options that flags make of a program, and warnings for the operator. */
export interface ResolvedExtension {
  readonly options: ExtensionServerOptions;
  readonly warnings: readonly string[];
}

/**
 * Checks the flags of an extension API server as a whole, and reads the kubeconfigs that they name. Rejects with a
 * ConfigurationError that lists every problem.
 */
export async function resolveExtension(
  program: ExtensionProgram,
  flags: ExtensionFlagValues,
  surroundings: { readonly environment: Readonly<Record<string, string | undefined>>; readonly logger: Logger },
): Promise<ResolvedExtension> {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const { name, admissionPlugins = [], keyPrefix = `/registry/${name}/`, ...rest } = program;
  const storage = { backend: flags["storage-backend"], namespace: flags["storage-namespace"], name };
  checkStoreInFront(storage, problems);
  const etcd = resolveEtcd({ ...flags, "etcd-servers-overrides": [] }, problems);
  const prefix = flags["etcd-prefix"] === "" ? keyPrefix : etcdKeyPrefix(flags["etcd-prefix"]);
  const gates = parseFeatureGates(flags["feature-gates"].join(","));
  problems.push(...gates.problems.map((text) => problemAt("--feature-gates", text)));
  warnings.push(...gates.warnings);
  const tls = resolveTls(flags, problems, warnings);
  const known = extensionPlugins(admissionPlugins);
  const selected = selectAdmissionPlugins(known, {
    enable: flags["enable-admission-plugins"],
    disable: flags["disable-admission-plugins"],
  });
  problems.push(...selected.problems);
  const files = resolveServingCertificate(flags, problems);
  checkLists(flags, problems);
  if (flags["tracing-config-file"] !== undefined && !gates.gates.enabled("APIServerTracing")) {
    problems.push(problemAt("--tracing-config-file", "needs --feature-gates=APIServerTracing=true"));
  }
  const watchCaches = resolveWatchCaches(flags, { enabled: true, without: new Set() }, problems);
  const audit = resolveAudit(flags, problems, warnings);
  const front = await frontOptions(flags, surroundings.environment, problems);
  if (problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
  const options: ExtensionServerOptions = {
    ...rest,
    directory: flags["data-dir"],
    bindAddress: flags["bind-address"],
    port: flags["secure-port"],
    certificates: {
      directory: flags["cert-dir"],
      commonName: name,
      names: { subject: "flags", directory: "--cert-dir" },
      ...rest.certificates,
      ...(files && { files }),
      clientCaFile: flags["client-ca-file"],
      proxyCaFile: flags["requestheader-client-ca-file"],
      minVersion: tls.minVersion,
      ciphers: tls.ciphers,
      named: tls.named,
    },
    sharesPort: tls.sharesPort,
    http2MaxStreamsPerConnection: flags["http2-max-streams-per-connection"],
    keyPrefix: prefix,
    compactionIntervalMs: flags["etcd-compaction-interval"],
    watchCaches,
    countsObjects: flags["etcd-count-metric-poll-period"] > 0,
    ...(isInFront(storage) && front.objects && storeInFront(front.objects, storage)),
    ...(etcd && etcdStore(etcd, prefix, flags["etcd-compaction-interval"])),
    settings: {
      deleteCollectionWorkers: flags["delete-collection-workers"],
      garbageCollection: flags["enable-garbage-collector"],
      ...rest.settings,
    },
    features: gates.gates,
    audit,
    profiling: flags.profiling,
    debugSocketPath: flags["debug-socket-path"],
    tracingConfigFile: flags["tracing-config-file"],
    logger: surroundings.logger,
    requestHeader: {
      allowedNames: flags["requestheader-allowed-names"],
      usernameHeaders: flags["requestheader-username-headers"],
      groupHeaders: flags["requestheader-group-headers"],
      extraHeaderPrefixes: flags["requestheader-extra-headers-prefix"],
    },
    front,
    admission: {
      plugins: selected.plugins,
      otherNames: known.filter((plugin) => !selected.plugins.includes(plugin)).map((plugin) => plugin.name),
      configFile: flags["admission-control-config-file"],
    },
  };
  return { options, warnings };
}

type FrontOptions = ExtensionServerOptions["front"];

/** Reads where the API server in front is: from a kubeconfig for each purpose, or as the service account of the pod. */
async function frontOptions(
  flags: ExtensionFlagValues,
  environment: Readonly<Record<string, string | undefined>>,
  problems: Problem[],
): Promise<FrontOptions> {
  const read = async (flag: "authentication-kubeconfig" | "authorization-kubeconfig" | "kubeconfig") => {
    const file = flags[flag];
    try {
      return await (file === undefined ? inClusterConfig(environment) : loadKubeconfig(file));
    } catch (error) {
      problems.push(problemAt(`--${flag}`, error instanceof Error ? error.message : "cannot be read"));
      return undefined;
    }
  };
  const [authentication, authorization, objects]: readonly (ClientConfig | undefined)[] = await Promise.all([
    read("authentication-kubeconfig"),
    read("authorization-kubeconfig"),
    read("kubeconfig"),
  ]);
  return {
    authentication,
    authorization,
    objects,
    lookup: lookupOf(flags),
    tokenCacheTtlMs: flags["authentication-token-webhook-cache-ttl"],
    authorizedTtlMs: flags["authorization-webhook-cache-authorized-ttl"],
    unauthorizedTtlMs: flags["authorization-webhook-cache-unauthorized-ttl"],
    alwaysAllowPaths: flags["authorization-always-allow-paths"],
  };
}

function lookupOf(flags: ExtensionFlagValues): NonNullable<FrontOptions["lookup"]> {
  if (flags["authentication-skip-lookup"]) {
    return "skipped";
  }
  return flags["authentication-tolerate-lookup-failure"] ? "tolerated" : "required";
}

const headerLists = [
  "requestheader-allowed-names",
  "requestheader-username-headers",
  "requestheader-group-headers",
  "requestheader-extra-headers-prefix",
] as const;

function checkLists(flags: ExtensionFlagValues, problems: Problem[]): void {
  for (const flag of headerLists) {
    if (flags[flag].some((item) => item.trim() === "")) {
      problems.push(problemAt(`--${flag}`, "must not hold an empty name"));
    }
  }
  for (const path of flags["authorization-always-allow-paths"]) {
    const problem = alwaysAllowPathProblem(path);
    if (problem !== undefined) {
      problems.push(problemAt("--authorization-always-allow-paths", problem));
    }
  }
}
