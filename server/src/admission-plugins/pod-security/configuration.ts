import { type ConfigDocument, checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import type { podsecurityV1 } from "@gatehouse/envelopes/types";
import { type ValidateValue, validateDns1123Label, validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import {
  type LevelVersion,
  levelProblem,
  type Mode,
  type Policy,
  parseLevel,
  parsePolicyVersion,
  versionProblem,
} from "@gatehouse/policies/pod-security";

/** The settings of the plugin that come from its configuration. */
export interface PodSecuritySettings {
  /** The policy for levels and versions that the labels of a namespace do not state. */
  readonly defaults: Policy;
  readonly exemptUsers: ReadonlySet<string>;
  readonly exemptNamespaces: ReadonlySet<string>;
  readonly exemptRuntimeClasses: ReadonlySet<string>;
}

const kinds = ["v1", "v1beta1", "v1alpha1"].map((version) => ({
  group: "pod-security.admission.config.k8s.io",
  version,
  kind: "PodSecurityConfiguration",
}));

/** Reads the configuration. Throws ConfigurationError with all that is wrong with it. */
export async function readPodSecuritySettings(document: ConfigDocument | undefined): Promise<PodSecuritySettings> {
  const content =
    document === undefined ? {} : await checkConfigDocument<podsecurityV1.PodSecurityConfiguration>(document, kinds);
  const { defaults = {}, exemptions = {} } = content;
  const { usernames = [], namespaces = [], runtimeClasses = [] } = exemptions;
  const problems: [path: string, text: string][] = [];
  const settings = {
    defaults: {
      enforce: readDefault(defaults, "enforce", problems),
      warn: readDefault(defaults, "warn", problems),
      audit: readDefault(defaults, "audit", problems),
    },
    exemptNamespaces: readNames(namespaces, "namespaces", validateDns1123Label, problems),
    exemptRuntimeClasses: readNames(runtimeClasses, "runtimeClasses", validateDns1123Subdomain, problems),
    exemptUsers: readNames(usernames, "usernames", validateUser, problems),
  };
  if (problems.length > 0) {
    throw new ConfigurationError(
      document?.subject ?? "PodSecurity",
      problems.map(([path, text]) => problemAt(path, text)),
    );
  }
  return settings;
}

type Problems = [path: string, text: string][];

function readDefault(defaults: podsecurityV1.PodSecurityDefaults, mode: Mode, problems: Problems): LevelVersion {
  const level = parseLevel(defaults[mode] || "privileged");
  const version = parsePolicyVersion(defaults[`${mode}-version`] || "latest");
  if (level === undefined) {
    problems.push([`defaults.${mode}`, levelProblem]);
  }
  if (version === undefined) {
    problems.push([`defaults.${mode}-version`, versionProblem]);
  }
  return { level, version } as LevelVersion;
}

function readNames(
  names: readonly string[],
  member: string,
  check: ValidateValue,
  problems: Problems,
): ReadonlySet<string> {
  const known = new Set<string>();
  for (const [index, name] of names.entries()) {
    const texts = check(name);
    if (texts.length > 0) {
      problems.push([`exemptions.${member}[${index}]`, texts.join(", ")]);
    } else if (known.has(name)) {
      problems.push([`exemptions.${member}[${index}]`, `${JSON.stringify(name)} is there already`]);
    }
    known.add(name);
  }
  return known;
}

function validateUser(name: string): string[] {
  return name === "" ? ["username must not be empty"] : [];
}
