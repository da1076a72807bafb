import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { documentValidator, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";
import type { EncryptionConfiguration, Provider, ResourceProviders } from "./encryption-configuration.js";
import { resolveKeys } from "./validate-keys.js";
import { type KmsContext, resolveKms } from "./validate-kms.js";
import { maskedResource, validateResources } from "./validate-resources.js";

const kind = { group: "apiserver.config.k8s.io", version: "v1", kind: "EncryptionConfiguration" } as const;

/** The use of a configuration. */
export interface ReadOptions {
  /** True if the file is followed. */
  readonly isReloaded: boolean;
  /** True if KMS v1 may be used: the feature gate `KMSv1`. */
  readonly allowsKmsV1: boolean;
}

/** A configuration as it was read from its file. */
export interface ReadConfiguration {
  readonly configuration: EncryptionConfiguration;
  /** A hash of the content, by which a change is noticed without keeping the keys. */
  readonly contentHash: string;
  readonly warnings: readonly string[];
}

/**
 * Reads the file of `--encryption-provider-config`. Rejects with a ConfigurationError that tells every problem with its
 * path, in the words of v1.29; no message holds a key. Members that are not known are ignored as in v1.29, with a warning.
 */
export async function readEncryptionConfiguration(file: string, options: ReadOptions): Promise<ReadConfiguration> {
  const { content } = await readConfigFile(file);
  const warnings = [...(await checkShape(file, content)), ...(await warningsOfMode(file))];
  const problems: Problem[] = [];
  const configuration = resolve(content as unknown as apiserverconfigV1.EncryptionConfiguration, options, problems);
  if (problems.length > 0) {
    throw new ConfigurationError(file, problems);
  }
  const contentHash = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return { configuration, contentHash, warnings };
}

/** Refuses documents of another kind and members of another type. Returns warnings about unknown members. */
async function checkShape(file: string, content: JsonObject): Promise<readonly string[]> {
  if (content["apiVersion"] !== `${kind.group}/${kind.version}` || content["kind"] !== kind.kind) {
    const text = `the document must be ${kind.kind} of ${kind.group}/${kind.version}`;
    throw new ConfigurationError(file, [problemAt("kind", text)]);
  }
  const schema = kindSchema(kind.group, kind.version, kind.kind);
  if (schema === undefined) {
    throw new TypeError(`there is no schema of ${kind.kind}`);
  }
  const problems = (await documentValidator(schema, { unknownMembers: "allowed" }))(content);
  if (problems.length > 0) {
    throw new ConfigurationError(file, problems);
  }
  const unknown = (await documentValidator(schema))(content);
  return unknown.map(({ message }) => `${file}: ${message}; it is ignored`);
}

async function warningsOfMode(file: string): Promise<readonly string[]> {
  const { mode } = await stat(file);
  return (mode & 0o077) === 0
    ? []
    : [`${file}: other users of this machine may read or write it (mode ${(mode & 0o777).toString(8)}); it holds keys`];
}

function resolve(
  { resources: entries }: apiserverconfigV1.EncryptionConfiguration,
  { isReloaded, allowsKmsV1 }: ReadOptions,
  problems: Problem[],
): EncryptionConfiguration {
  if (entries === undefined || entries === null || entries.length === 0) {
    problems.push(problemAt("resources", "Required value: at least one resources is required"));
    return { resources: [] };
  }
  const kms: KmsContext = { names: new Set(), isReloaded };
  const resources = entries.map((entry, index) => resolveEntry(entry, `resources[${index}]`, kms, problems));
  if (problems.length === 0) {
    const masked = maskedResource(resources.map((entry) => entry.resources));
    const usesV1 = resources.some(({ providers }) =>
      providers.some((provider) => provider.type === "kms" && provider.apiVersion === "v1"),
    );
    if (masked !== undefined) {
      problems.push(problemAt("resources", masked));
    }
    if (usesV1 && !allowsKmsV1) {
      problems.push(problemAt("resources", kmsV1Refused));
    }
  }
  return { resources };
}

const kmsV1Refused =
  "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.";

function resolveEntry(
  entry: apiserverconfigV1.ResourceConfiguration,
  path: string,
  kms: KmsContext,
  problems: Problem[],
): ResourceProviders {
  const resources = entry.resources ?? [];
  const providers = entry.providers ?? [];
  const required = (at: string): void =>
    void problems.push(problemAt(at, `Required value: at least one ${at} is required`));
  if (resources.length === 0) {
    required(`${path}.resources`);
  }
  problems.push(...validateResources(resources, `${path}.resources`));
  if (providers.length === 0) {
    required(`${path}.providers`);
  }
  return {
    resources,
    providers: providers.map((provider, index) =>
      resolveProvider(provider, `${path}.providers[${index}]`, kms, problems),
    ),
  };
}

function resolveProvider(
  provider: apiserverconfigV1.ProviderConfiguration,
  path: string,
  context: KmsContext,
  problems: Problem[],
): Provider {
  const { kms, aesgcm, aescbc, secretbox, identity } = provider;
  const count = [kms, aesgcm, aescbc, secretbox, identity].filter((member) => member !== undefined).length;
  if (count === 0) {
    const text = "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity";
    problems.push(problemAt(path, `Invalid value: ${text}`));
  } else if (count > 1) {
    const text = "more than one provider specified in a single element, should split into different list elements";
    problems.push(problemAt(path, `Invalid value: ${text}`));
  }
  if (kms !== undefined) {
    return resolveKms(kms, `${path}.kms`, context, problems);
  }
  if (aesgcm !== undefined) {
    return { type: "aesgcm", keys: resolveKeys(aesgcm.keys, `${path}.aesgcm.keys`, [16, 24, 32], problems) };
  }
  if (aescbc !== undefined) {
    return { type: "aescbc", keys: resolveKeys(aescbc.keys, `${path}.aescbc.keys`, [16, 24, 32], problems) };
  }
  if (secretbox !== undefined) {
    return { type: "secretbox", keys: resolveKeys(secretbox.keys, `${path}.secretbox.keys`, [32], problems) };
  }
  return { type: "identity" };
}
