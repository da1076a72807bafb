// The entry point `@gatehouse/webhooks/registration`: the objects of a cluster that make its API servers call hooks.
export { rbacFor } from "./rbac.js";
export {
  type HookLocation,
  type RegistrationOptions,
  webhookConfigurations,
} from "./webhook-configurations.js";
