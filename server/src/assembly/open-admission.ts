import { resolve } from "node:path";
import { AdmissionChain, type AdmissionPlugin, admissionMetrics } from "@gatehouse/apiserver/admission";
import { type ConfigDocument, checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";
import { pluginMakers } from "../admission-plugins/index.js";
import type { PluginParts } from "../admission-plugins/plugin-parts.js";
import { type AdmissionPluginName, isAdmissionPlugin } from "../options/admission-plugins.js";
import type { AdmissionConfig } from "../options/server-config.js";

type Configurations = ReadonlyMap<AdmissionPluginName, ConfigDocument>;

/** Makes the configured plugins. Throws ConfigurationError when one of them cannot be made. */
export async function openAdmission(
  config: AdmissionConfig,
  parts: Omit<PluginParts, "configuration" | "settings">,
): Promise<AdmissionChain> {
  const configurations = await readConfigurations(config.configFile);
  const plugins: AdmissionPlugin[] = [];
  for (const name of config.plugins) {
    const plugin = await pluginMakers[name]?.({
      ...parts,
      settings: config,
      configuration: configurations.get(name),
    });
    if (plugin !== undefined) {
      plugins.push(plugin);
    }
  }
  return new AdmissionChain(plugins, admissionMetrics(parts.metrics), { blames: config.blame });
}

const kinds = [
  { group: "apiserver.config.k8s.io", version: "v1", kind: "AdmissionConfiguration" },
  { group: "apiserver.k8s.io", version: "v1alpha1", kind: "AdmissionConfiguration" },
];

async function readConfigurations(file: string | undefined): Promise<Configurations> {
  if (file === undefined) {
    return new Map();
  }
  const document = await readConfigFile(file);
  const { plugins } = await checkConfigDocument<apiserverconfigV1.AdmissionConfiguration>(document, kinds);
  checkNames(document, plugins ?? []);
  const configurations = new Map<AdmissionPluginName, ConfigDocument>();
  for (const [index, plugin] of (plugins ?? []).entries()) {
    const configuration = await configurationOf(document, plugin, index);
    if (configuration !== undefined) {
      configurations.set(plugin.name as AdmissionPluginName, configuration);
    }
  }
  return configurations;
}

function checkNames(
  { subject }: ConfigDocument,
  plugins: readonly apiserverconfigV1.AdmissionPluginConfiguration[],
): void {
  const problems: Problem[] = [];
  for (const [index, { name }] of plugins.entries()) {
    const path = `plugins[${index}].name`;
    if (!isAdmissionPlugin(name)) {
      problems.push(problemAt(path, `${JSON.stringify(name)} is not an admission plugin`));
    } else if (plugins.findIndex((other) => other.name === name) < index) {
      problems.push(problemAt(path, `${name} is configured already`));
    }
  }
  if (problems.length > 0) {
    throw new ConfigurationError(subject, problems);
  }
}

/** Returns the configuration of a plugin: one inside the document wins over a path. */
async function configurationOf(
  { subject, folder }: ConfigDocument,
  { configuration, path }: apiserverconfigV1.AdmissionPluginConfiguration,
  index: number,
): Promise<ConfigDocument | undefined> {
  if (configuration !== undefined && configuration !== null) {
    const content = configuration as JsonObject;
    return { subject: `${subject}: plugins[${index}].configuration`, folder, content };
  }
  return path === undefined || path === "" ? undefined : readConfigFile(resolve(folder, path));
}
