import { identity } from "../values/identity.js";
import type { ValueTransformer } from "../values/value-transformer.js";
import { aesCbc } from "./ciphers/aes-cbc.js";
import { aesGcm } from "./ciphers/aes-gcm.js";
import type { PartsTransformer, StoredParts } from "./ciphers/cipher.js";
import { secretbox } from "./ciphers/secretbox.js";
import type { EncryptionConfiguration, Provider } from "./configuration/encryption-configuration.js";
import { type GroupResource, groupResourceName, parseGroupResource } from "./configuration/group-resource.js";
import type { HealthProbe } from "./kms/kms-probe.js";
import { type KmsParts, type OpenedKms, openKms } from "./kms/open-kms.js";
import { type PrefixedTransformer, prefixTransformers } from "./prefix-transformers.js";

/** The providers of a configuration, in use. To dispose of them is to close the connections of services. */
export interface OpenedProviders extends Disposable {
  /** Returns the transformer of a resource: its own, that of its group, or that of all resources. */
  transformerOf(resource: GroupResource): ValueTransformer;
  /** The checks of key management services, in the order of the configuration. */
  readonly probes: readonly HealthProbe[];
  /** Sorts of services that are used. */
  readonly kmsVersions: ReadonlySet<"v1" | "v2">;
  /** The longest time in milliseconds that all checks may take, one after the other. */
  readonly checkTimeoutMs: number;
}

/** The providers that are in use now. */
export interface CurrentProviders {
  providers: OpenedProviders;
}

/** Opens the providers of a configuration. */
export async function openProviders(configuration: EncryptionConfiguration, parts: KmsParts): Promise<OpenedProviders> {
  const opened: OpenedKms[] = [];
  const kmsVersions = new Set<"v1" | "v2">();
  const lists = new Map<string, PrefixedTransformer[]>();
  for (const { resources, providers } of configuration.resources) {
    const transformers: PrefixedTransformer[] = [];
    for (const provider of providers) {
      if (provider.type === "kms") {
        const kms = await openKms(provider, parts);
        opened.push(kms);
        kmsVersions.add(provider.apiVersion);
        transformers.push(kms.transformer);
      } else {
        transformers.push(localTransformer(provider, parts));
      }
    }
    for (const resource of resources.map((text) => groupResourceName(parseGroupResource(text)))) {
      lists.set(resource, [...(lists.get(resource) ?? []), ...transformers]);
    }
  }
  const metrics = parts.transformations;
  const byName = new Map(
    [...lists].map(([name, list]) => [
      name,
      wholeValues(prefixTransformers(list, { noMatch: "no matching prefix found", metrics })),
    ]),
  );
  return {
    transformerOf: transformersByResource(byName),
    probes: opened.map(({ probe }) => probe),
    kmsVersions,
    checkTimeoutMs: opened.reduce((sum, { checkTimeoutMs }) => sum + checkTimeoutMs, 0),
    [Symbol.dispose]() {
      for (const kms of opened) {
        kms[Symbol.dispose]();
      }
    },
  };
}

function transformersByResource(
  byName: ReadonlyMap<string, ValueTransformer>,
): (resource: GroupResource) => ValueTransformer {
  // By identity: the resources of keys are the same objects again and again.
  const found = new WeakMap<GroupResource, ValueTransformer>();
  return (resource) => {
    let transformer = found.get(resource);
    if (transformer === undefined) {
      transformer =
        byName.get(groupResourceName(resource)) ??
        byName.get(groupResourceName({ group: resource.group, resource: "*" })) ??
        byName.get("*.*") ??
        identity;
      found.set(resource, transformer);
    }
    return transformer;
  };
}

/** Returns a transformer that puts the parts of each value together. */
function wholeValues(transformer: PartsTransformer): ValueTransformer {
  return {
    toStored(key, value) {
      const parts = transformer.toParts(key, value);
      return parts instanceof Promise ? parts.then(whole) : whole(parts);
    },
    fromStored: (key, stored) => transformer.fromStored(key, stored),
  };
}

function whole(parts: StoredParts): Buffer {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}

/** Stores values as they are. */
const plain: PartsTransformer = {
  toParts: (_key, value) => [value],
  fromStored: (key, stored) => identity.fromStored(key, stored),
};

const ciphers = {
  aescbc: { cipher: aesCbc, noMatch: "no matching key was found for the provided AES transformer" },
  aesgcm: { cipher: aesGcm, noMatch: "no matching key was found for the provided AES transformer" },
  secretbox: { cipher: secretbox, noMatch: "no matching key was found for the provided Secretbox transformer" },
} as const;

function localTransformer(
  provider: Exclude<Provider, { readonly type: "kms" }>,
  { transformations: metrics }: KmsParts,
): PrefixedTransformer {
  if (provider.type === "identity") {
    return { prefix: "", transformer: plain };
  }
  const { cipher, noMatch } = ciphers[provider.type];
  const keys = provider.keys.map(({ name, key }) => ({ prefix: `${name}:`, transformer: cipher(key) }));
  return {
    prefix: `k8s:enc:${provider.type}:v1:`,
    transformer: prefixTransformers(keys, { noMatch, metrics }),
  };
}
