import type { RangeEdit } from "./range-allocator.js";

/** Number above which made-up ports begin, beyond the usual range of node ports. */
const firstDummy = 32768;

/** Returns an edit for a dry run, as in v1.29: taken ports are refused, and the next free ones are made up. */
export function dryRunEdit({ has }: RangeEdit): RangeEdit {
  const allocated: number[] = [];
  return {
    has,
    allocate(number) {
      if (has(number) || allocated.includes(number)) {
        return "taken";
      }
      allocated.push(number);
      return "allocated";
    },
    allocateNext() {
      const number = (allocated.length === 0 ? firstDummy : Math.max(0, ...allocated)) + 1;
      allocated.push(number);
      // Numbers beyond int32 wrap around, as in v1.29; none of them is stored.
      return number | 0;
    },
    release() {},
  };
}
