import { TypedValueFormat, type ValueFormatOptions } from "@gatehouse/apiserver/forms";
import { defaultFeatureGates } from "@gatehouse/apiserver/options";
import type { Store } from "@gatehouse/apiserver/storage";
import { transformedStore, ValueFormats } from "@gatehouse/apiserver/storage/values";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import { builtinDefaultingFunctions } from "@gatehouse/envelopes/kind-defaults";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { recordsBesideResources } from "../assembly/stored-values.js";
import { builtinResources } from "../kinds/builtin-resources.js";

/** The beginning of values that are encrypted at rest. */
const encryptedStart = Buffer.from("k8s:enc:");

/** The two kinds of stores: etcd, which kube-apiserver may share, and the embedded one. */
export type StoreKind = "shared" | "embedded";

/**
 * Returns a store to copy from: its values, in whatever form a server can read them, come in the form in which a server
 * writes them into the other kind of store: JSON for the embedded one; for a shared one as kube-apiserver, mostly protobuf.
 * Values of custom kinds, and encrypted ones, come as they are.
 */
export function translatedStore(store: Store, prefix: string, from: StoreKind, to: StoreKind): Store {
  const [source, target] = [formatsOf(prefix, from), formatsOf(prefix, to)];
  return transformedStore(store, {
    isImmediate: true,
    toStored() {
      throw new TypeError("the store is copied from, and never written");
    },
    fromStored(key, stored) {
      const isEncrypted = stored.subarray(0, encryptedStart.length).equals(encryptedStart);
      const value = isEncrypted ? stored : target.toStored(key, source.fromStored(key, stored).value);
      return { value, isStale: false };
    },
  });
}

function formatsOf(prefix: string, kind: StoreKind): ValueFormats {
  const isShared = kind === "shared";
  const options: ValueFormatOptions = {
    mediaType: isShared ? mediaTypes.protobuf : mediaTypes.json,
    isShared,
    defaulting: createDefaulting(builtinDefaultingFunctions),
    features: defaultFeatureGates(),
    primaryFamily: "IPv4",
  };
  const formats = new ValueFormats(prefix);
  for (const record of recordsBesideResources) {
    formats.set(`${prefix}${record.prefix}/`, new TypedValueFormat(record, options));
  }
  for (const definition of builtinResources) {
    const { kind: name, storage } = definition;
    if (storage !== undefined) {
      formats.set(`${prefix}${storage.prefix}/`, new TypedValueFormat({ ...storage, kind: name }, options));
    }
  }
  return formats;
}
