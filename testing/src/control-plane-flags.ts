import type { ControlPlaneCertificates } from "./certificates.js";
import type { ControlPlaneOptions } from "./control-plane-options.js";

/** Files that the flags of a server name, and the flags that a user gives. */
export interface FlagParts {
  readonly certificates: ControlPlaneCertificates;
  readonly dataDirectory: string;
  /** Flags of the user, which win: those of the same name are left out. */
  readonly given: readonly string[];
}

/** Flags that the kit must set itself, and the option that stands for each. */
const ownFlags: ReadonlyMap<string, string> = new Map([
  ["data-dir", "dataDirectory"],
  ["secure-port", "url, since a free port is chosen"],
]);

/** Checks the flags that a user gives. Throws TypeError for those that the kit must set itself. */
export function checkFlags(given: readonly string[]): void {
  for (const name of namesOf(given)) {
    const instead = ownFlags.get(name);
    if (instead !== undefined) {
      throw new TypeError(`flags: --${name} is set by startControlPlane; use ${instead}`);
    }
  }
}

/** Builds the flags of a server but its port. */
export function controlPlaneFlags(options: ControlPlaneOptions, parts: FlagParts): readonly string[] {
  const { certificates, dataDirectory, given } = parts;
  const { authorization = ["RBAC"], admissionPlugins = {} } = options;
  const names = namesOf(given);
  const defaults: readonly (readonly [name: string, value: string])[] = [
    ["bind-address", "127.0.0.1"],
    ["tls-cert-file", certificates.serverCertFile],
    ["tls-private-key-file", certificates.serverKeyFile],
    ["client-ca-file", certificates.caFile],
    ["kubelet-certificate-authority", certificates.caFile],
    ["kubelet-client-certificate", certificates.kubeletClientCertFile],
    ["kubelet-client-key", certificates.kubeletClientKeyFile],
    ["data-dir", dataDirectory],
    ...(names.has("authorization-config") ? [] : [["authorization-mode", authorization.join(",")] as const]),
    ...listFlag("enable-admission-plugins", admissionPlugins.enable),
    ...listFlag("disable-admission-plugins", admissionPlugins.disable),
  ];
  return [
    ...defaults.filter(([name]) => !names.has(name)).map(([name, value]) => `--${name}=${value}`),
    // They go together: keys of one issuer are of no use to another.
    ...(names.has("service-account-issuer") ? [] : certificates.serviceAccountFlags),
    ...given,
  ];
}

/**
 * Tells whether pods can only be created when the `default` service account of their namespace is there, as in every
 * cluster: unless flags turn the plugin or the controller off.
 */
export function needsDefaultServiceAccount(options: ControlPlaneOptions, given: readonly string[]): boolean {
  const names = namesOf(given);
  const isDisabled = options.admissionPlugins?.disable?.includes("ServiceAccount") ?? false;
  return !isDisabled && !names.has("disable-admission-plugins") && !names.has("controllers");
}

function listFlag(name: string, values: readonly string[] = []): [string, string][] {
  return values.length === 0 ? [] : [[name, values.join(",")]];
}

/** Returns the names of flags as the server reads them, with dashes for underscores. */
function namesOf(flags: readonly string[]): ReadonlySet<string> {
  const names = flags.flatMap((flag) => /^--([^=]+)/.exec(flag)?.[1] ?? []);
  return new Set(names.map((name) => name.replaceAll("_", "-")));
}
