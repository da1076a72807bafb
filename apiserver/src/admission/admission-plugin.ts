import type { GroupResource } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../request/handler.js";
import type { AdmissionAttributes, Operation } from "./attributes.js";

/**
 * A gate that every write passes, those of controllers and dry runs, too. Plugins are asked one after the other, in the
 * order of the chain, and again when an update has lost a race: they act on nothing but the attributes. To admit is to
 * return; to refuse is to throw a StatusError; to fail is to throw anything else, and then the write fails with 500.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /**
   * Reports whether the plugin is to be asked about such writes at all; absent for every write. Called once for each
   * sort of write, so it must always answer the same.
   */
  concerns?(write: SortOfWrite): boolean;
  /** Runs in the mutating phase. */
  admit?(attributes: AdmissionAttributes): MaybePromise<void>;
  /** Runs in the validating phase, after the object is complete. */
  validate?(attributes: AdmissionAttributes): MaybePromise<void>;
}

/** The facts about a write that are known before it comes. */
export interface SortOfWrite {
  readonly operation: Operation;
  readonly resource: GroupResource;
  /** The name of the subresource; empty for the object itself. */
  readonly subresource: string;
}

/**
 * Reports whether writes are of one resource of the core group, with one of the operations and the subresource. Meant
 * for `concerns`.
 */
export function isCoreWrite(
  { operation, resource, subresource }: SortOfWrite,
  name: string,
  operations: readonly Operation[],
  subresources: readonly string[] = [""],
): boolean {
  return (
    resource.group === "" &&
    resource.resource === name &&
    operations.includes(operation) &&
    subresources.includes(subresource)
  );
}
