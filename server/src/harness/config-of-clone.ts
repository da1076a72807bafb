import type { ServerConfig } from "../options/server-config.js";

/** Returns a configuration for a server beside another one of the same: without the places that only one can have. */
export function configOfClone(config: ServerConfig): ServerConfig {
  return { ...config, etcdFace: undefined, profiling: { ...config.profiling, socketPath: undefined } };
}
