import type { KeyValue } from "../store.js";

/** One version of one key with the facts that the contract of the store leaves out. */
export interface KeyVersion extends KeyValue {
  /** Number of writes since the key was created, this one included. */
  readonly version: number;
  /** The lease that the key lives by; 0 for none. */
  readonly lease: bigint;
}

/** A change of one key. Changes of one transaction have the same revision. */
export type KeyChange =
  | {
      readonly type: "put";
      readonly key: string;
      readonly revision: number;
      readonly createRevision: number;
      readonly value: Buffer;
      readonly version: number;
      readonly lease: bigint;
      /** The former state of the key; undefined when there was none, or when it is compacted. */
      readonly previous: KeyVersion | undefined;
    }
  | {
      readonly type: "delete";
      readonly key: string;
      readonly revision: number;
      readonly previous: KeyVersion;
    };
