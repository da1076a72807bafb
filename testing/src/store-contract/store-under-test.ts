import type { Store } from "@gatehouse/apiserver/storage";

/** A place that holds the data of one store, empty at first. Disposal closes what was opened and drops the data. */
export interface StoreFixture extends AsyncDisposable {
  /** Opens one more store on the same data, as another process would. */
  open(): Promise<Store>;
  /** True if the store has no disk, so that history takes memory until it is compacted. */
  readonly isInMemory?: boolean;
  /** The bytes of the largest value that the store takes; 3 MiB and more when absent. */
  readonly maxValueBytes?: number;
  /** True if each write is several requests to another server, so that tests of many writes make fewer. */
  readonly hasCostlyWrites?: boolean;
}

/** Returns how many writes a test makes that is to make many: `count`, or a quarter of it where they are costly. */
export function manyWrites({ hasCostlyWrites = false }: StoreFixture, count: number): number {
  return hasCostlyWrites ? Math.ceil(count / 4) : count;
}
