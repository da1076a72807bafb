import { defineFlags } from "@gatehouse/component-base/flags";

const group = "Not yet supported";
const profiling = "profiles come with a later part";
const peers = "requests to other API servers come with a later part";

/**
 * Flags of kube-apiserver whose feature is missing here, with the types and defaults of v1.29. Their defaults are
 * accepted; every other value is refused by name, so that no one relies on it.
 */
export const pendingFlags = defineFlags({
  "contention-profiling": { type: "bool", ...pending(profiling) },
  "debug-socket-path": { type: "path", ...pending(profiling) },
  "peer-advertise-ip": { type: "string", default: "", ...pending(peers) },
  "peer-advertise-port": { type: "string", default: "", ...pending(peers) },
  "peer-ca-file": { type: "path", ...pending(peers) },
  profiling: { type: "bool", default: true, ...pending(profiling) },
  "tracing-config-file": { type: "path", ...pending("it comes with a later part") },
});

/** The members of a flag that is refused with a reason. */
function pending(reason: string): {
  readonly group: string;
  readonly help: string;
  readonly hidden: true;
  readonly unsupported: string;
} {
  return { group, help: reason, hidden: true, unsupported: reason };
}
