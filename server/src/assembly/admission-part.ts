import type { AdmissionOptions, AdmissionParts, PluginConfiguration } from "@gatehouse/apiserver/server";
import type { PluginParts } from "../admission-plugins/plugin-parts.js";
import type { AdmissionConfig } from "../options/server-config.js";

/** The parts of plugins that only the control plane has. */
export type ControlPlaneParts = Omit<PluginParts, keyof AdmissionParts | keyof PluginConfiguration>;

/** Returns the admission of the control plane: the selected plugins, each with the parts that only this server has. */
export function admissionWith(
  { plugins, otherPlugins, configFile, blame }: AdmissionConfig,
  own: ControlPlaneParts,
): AdmissionOptions<AdmissionParts & PluginConfiguration> {
  return {
    plugins: plugins.map(({ make, ...plugin }) => ({
      ...plugin,
      make: make && ((parts) => make({ ...parts, ...own })),
    })),
    otherNames: otherPlugins,
    configFile,
    blame,
  };
}
