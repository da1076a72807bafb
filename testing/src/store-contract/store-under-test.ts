import type { Store } from "@gatehouse/apiserver/storage";

/** A place that holds the data of one store, empty at first. Disposal closes what was opened and drops the data. */
export interface StoreFixture extends AsyncDisposable {
  /** Opens one more store on the same data, as another process would. */
  open(): Promise<Store>;
  /** True if the store has no disk, so that history takes memory until it is compacted. */
  readonly isInMemory?: boolean;
  /** The bytes of the largest value that the store takes; 3 MiB and more when absent. */
  readonly maxValueBytes?: number;
}
