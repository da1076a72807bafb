import type { Defaulting } from "@gatehouse/envelopes/defaults";
import type { EnabledFeatures } from "@gatehouse/envelopes/features";
import type { StorageMediaType } from "./storage-media-type.js";

/** The gates and the cluster on which the completion of a read object depends. */
export type ReadContext = Pick<ValueFormatOptions, "features" | "primaryFamily">;

/** The serialization of a store, and the defaults that are filled in when its values are read. */
export interface ValueFormatOptions {
  /** The media type of built-in kinds. */
  readonly mediaType: StorageMediaType;
  /**
   * True for a store that other programs write to as well, as kube-apiserver does to etcd: JSON is written byte for byte
   * as kube-apiserver writes it, and no JSON is taken for canonical without a look. In a store of this server alone,
   * JSON is canonical unless a line feed ends it, which kube-apiserver writes and this server does not.
   */
  readonly isShared: boolean;
  readonly defaulting: Defaulting;
  readonly features: EnabledFeatures;
  /** The family of addresses that services of this cluster get first. */
  readonly primaryFamily: "IPv4" | "IPv6";
}
