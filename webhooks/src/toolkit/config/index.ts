// The entry point `@gatehouse/webhooks/config`: the hooks of modules, as strict as a configuration document says.
export { ConfigurationError } from "@gatehouse/component-base/errors";
export { type ExpiredException, expiredText } from "./expired-exceptions.js";
export { type HookSources, type LoadedHooks, loadHooks } from "./load-hooks.js";
