import type { GroupResource } from "@gatehouse/envelopes";
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
   * Whether the plugin is to be asked about such writes at all; about every one when absent. Asked once for each sort of
   * write, so it must always answer the same.
   */
  concerns?(write: SortOfWrite): boolean;
  /** Mutating phase. */
  admit?(attributes: AdmissionAttributes): MaybePromise<void>;
  /** Validating phase, after the object is complete. */
  validate?(attributes: AdmissionAttributes): MaybePromise<void>;
}

/** What can be said of a write before it comes. */
export interface SortOfWrite {
  readonly operation: Operation;
  readonly resource: GroupResource;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** For `concerns`: writes of one resource of the core group, by their operations and subresource. */
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
