export type { Credential } from "./plugin/credential.js";
export { CredentialError } from "./plugin/credential-error.js";
export type {
  CredentialRequest,
  CredentialSource,
  ObtainedCredential,
  PreviousCredential,
} from "./plugin/credential-source.js";
export { type CredentialPlugin, defineCredentialPlugin } from "./plugin/define-credential-plugin.js";
export type { CredentialPluginDefinition } from "./plugin/plugin-definition.js";
export { type PluginIo, pluginIo } from "./plugin/plugin-io.js";
