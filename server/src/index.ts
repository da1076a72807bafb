export { type ServerFlagValues, serverFlags } from "./flags.js";
export { type ControlPlanePlugin, defaultAdmissionPlugins } from "./options/admission-plugins.js";
export { resolveServerConfig, type ServerConfig, type SiteExtensions } from "./options/server-config.js";
export { type StartedServer, startServer } from "./server.js";
