export { type ServerFlagValues, serverFlags } from "./flags.js";
export { defaultAdmissionPlugins } from "./options/admission-plugins.js";
export { resolveServerConfig, type ServerConfig } from "./options/server-config.js";
export { type StartedServer, startServer } from "./server.js";
