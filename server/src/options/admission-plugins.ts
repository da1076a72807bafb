import type { AdmissionPluginDefinition } from "@gatehouse/apiserver/admission";
import { builtinPlugins } from "../admission-plugins/index.js";
import type { PluginParts } from "../admission-plugins/plugin-parts.js";

/** An admission plugin of the control plane before it is made. */
export type ControlPlanePlugin = AdmissionPluginDefinition<PluginParts>;

/** Names of the plugins that are on by default, in their order. */
export const defaultAdmissionPlugins: readonly string[] = builtinPlugins
  .filter(({ isOnByDefault }) => isOnByDefault)
  .map(({ name }) => name);

/** The first of the plugins that ask others about an object, which must see what the ones before have made of it. */
const firstAsking = "MutatingAdmissionWebhook";

/**
 * Returns all plugins in the order in which a write meets them: those of v1.29, and `own` ones before webhooks, policies
 * and quota. Throws TypeError for a name that is taken.
 */
export function admissionPluginsWith(own: readonly ControlPlanePlugin[]): readonly ControlPlanePlugin[] {
  const names = new Set(builtinPlugins.map(({ name }) => name));
  for (const { name } of own) {
    if (names.has(name)) {
      throw new TypeError(`there are two admission plugins ${name}`);
    }
    names.add(name);
  }
  const at = builtinPlugins.findIndex(({ name }) => name === firstAsking);
  return [...builtinPlugins.slice(0, at), ...own, ...builtinPlugins.slice(at)];
}
