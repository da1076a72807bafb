export { extensionFlags } from "./extension-flags.js";
export { type ExtensionPlugin, type ExtensionPluginParts, extensionPlugins } from "./front-admission.js";
export type { ExtensionProgram } from "./resolve-extension.js";
export { runExtensionServer } from "./run-extension-server.js";
export { type ExtensionServerOptions, type FrontOptions, startExtensionServer } from "./start-extension-server.js";
