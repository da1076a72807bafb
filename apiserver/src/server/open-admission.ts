import { resolve } from "node:path";
import { type ConfigDocument, checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";
import { AdmissionChain } from "../admission/admission-chain.js";
import { admissionMetrics } from "../admission/admission-metrics.js";
import type { AdmissionPlugin } from "../admission/admission-plugin.js";
import type { AdmissionPluginDefinition } from "../admission/plugin-definition.js";

/** The admission of a server. */
export interface AdmissionOptions<P> {
  /** The plugins in the order in which they are asked. */
  readonly plugins: readonly AdmissionPluginDefinition<P>[];
  /** The path of an AdmissionConfiguration; absent for none. */
  readonly configFile?: string | undefined;
  /** Names that the configuration may have besides those of `plugins`: of plugins that are switched off. */
  readonly otherNames?: readonly string[];
  /** True if audit annotations name the author of each change, and answers do so on request. */
  readonly blame?: boolean;
}

/** The part that each plugin is made of besides those of the server. */
export interface PluginConfiguration {
  /** The configuration of the plugin in the AdmissionConfiguration; undefined for none. */
  readonly configuration: ConfigDocument | undefined;
}

type Configurations = ReadonlyMap<string, ConfigDocument>;

/** Makes the plugins. Rejects with a ConfigurationError when one of them cannot be made. */
export async function openAdmission<P extends { readonly metrics: MetricsRegistry }>(
  options: AdmissionOptions<P & PluginConfiguration>,
  parts: P,
): Promise<AdmissionChain> {
  const names = new Set([...options.plugins.map(({ name }) => name), ...(options.otherNames ?? [])]);
  const configurations = await readConfigurations(options.configFile, names);
  const plugins: AdmissionPlugin[] = [];
  for (const { name, make } of options.plugins) {
    const plugin = await make?.({ ...parts, configuration: configurations.get(name) });
    if (plugin !== undefined) {
      plugins.push(plugin);
    }
  }
  return new AdmissionChain(plugins, admissionMetrics(parts.metrics), { blames: options.blame ?? false });
}

const kinds = [
  { group: "apiserver.config.k8s.io", version: "v1", kind: "AdmissionConfiguration" },
  { group: "apiserver.k8s.io", version: "v1alpha1", kind: "AdmissionConfiguration" },
];

async function readConfigurations(file: string | undefined, names: ReadonlySet<string>): Promise<Configurations> {
  if (file === undefined) {
    return new Map();
  }
  const document = await readConfigFile(file);
  const { plugins } = await checkConfigDocument<apiserverconfigV1.AdmissionConfiguration>(document, kinds);
  checkNames(document, plugins ?? [], names);
  const configurations = new Map<string, ConfigDocument>();
  for (const [index, plugin] of (plugins ?? []).entries()) {
    const configuration = await configurationOf(document, plugin, index);
    if (configuration !== undefined) {
      configurations.set(plugin.name ?? "", configuration);
    }
  }
  return configurations;
}

function checkNames(
  { subject }: ConfigDocument,
  plugins: readonly apiserverconfigV1.AdmissionPluginConfiguration[],
  names: ReadonlySet<string>,
): void {
  const problems: Problem[] = [];
  for (const [index, { name }] of plugins.entries()) {
    const path = `plugins[${index}].name`;
    if (!names.has(name ?? "")) {
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
