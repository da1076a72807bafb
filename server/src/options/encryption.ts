import type { StorageEncryption } from "@gatehouse/apiserver/server";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";

/** The flags of encryption at rest. */
export const encryptionFlags = {
  "encryption-provider-config": {
    type: "path",
    group: "Storage",
    help: "`file` that says which resources are encrypted in the store, and how (EncryptionConfiguration).",
  },
  "encryption-provider-config-automatic-reload": {
    type: "bool",
    default: false,
    group: "Storage",
    help: "Follow --encryption-provider-config as it changes. All key management services then share the health check kms-providers.",
  },
} as const;

/** Returns the encryption of the store; undefined for none. Adds the problems of the flags. */
export function resolveEncryption(
  flags: FlagValues<typeof encryptionFlags>,
  problems: Problem[],
): StorageEncryption | undefined {
  const configFile = flags["encryption-provider-config"];
  const automaticReload = flags["encryption-provider-config-automatic-reload"];
  if (configFile !== undefined) {
    return { configFile, automaticReload };
  }
  if (automaticReload) {
    const flag = "--encryption-provider-config-automatic-reload";
    problems.push(problemAt(flag, "must be set with --encryption-provider-config"));
  }
  return undefined;
}
