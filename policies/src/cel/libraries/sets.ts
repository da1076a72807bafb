import { addRanges, exactly, multiplyRanges, scaleRange, unknownSize } from "../cost/range.js";
import { hasElement } from "../values/equality.js";
import { costSize } from "../values/size.js";
import { itemsOf } from "../values/type-name.js";
import type { CelList, CelValue } from "../values/value.js";
import type { FunctionDefinition, Library } from "./library.js";
import { typedCall } from "./typed-call.js";

type List = readonly CelValue[] | CelList;

/** Returns a function of two lists that compares each element with each one so many times. */
function comparison(name: string, times: number, call: (left: List, right: List) => boolean): FunctionDefinition {
  return {
    name,
    overloads: [
      {
        signature: "(list(T), list(T)) -> bool",
        call: typedCall(call),
        cost: ([left = null, right = null]) => 1 + costSize(left) * costSize(right) * times,
        estimate: ([left = unknownSize, right = unknownSize]) => ({
          cost: addRanges(scaleRange(multiplyRanges(left, right), times), exactly(1n)),
        }),
      },
    ],
  };
}

/** The functions of lists that are taken for sets. */
export const sets: Library = {
  name: "sets",
  introduced: [1, 29],
  settings: { presenceTestCost: 0 },
  functions: [
    comparison("sets.contains", 1, contains),
    comparison("sets.equivalent", 2, (left, right) => contains(left, right) && contains(right, left)),
    comparison("sets.intersects", 1, (left, right) => itemsOf(left).some((item) => hasElement(right, item))),
  ],
};

function contains(list: List, part: List): boolean {
  return itemsOf(part).every((item) => hasElement(list, item));
}
