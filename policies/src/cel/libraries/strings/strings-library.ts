import { costSize } from "../../values/size.js";
import type { CelValue } from "../../values/value.js";
import {
  estimateTraversal,
  inRules,
  readingCost,
  readingEstimate,
  traversalCost,
  traversalFactor,
} from "../call-cost.js";
import type { FunctionDefinition, Library, Overload } from "../library.js";
import { typedCall } from "../typed-call.js";
import { format } from "./format.js";
import { join } from "./join.js";
import { lowerAscii, quote, trim, upperAscii } from "./letters.js";
import { charAt, indexOf, lastIndexOf, substring } from "./positions.js";
import { replace, split } from "./replace-and-split.js";
import { estimateJoin, estimateQuote, estimateReading, estimateReplace, estimateSplit } from "./string-estimates.js";

type Int = number | bigint;

const readOnce = readingCost(1);
const readTwice = readingCost(2);
const joinCost = (_: readonly CelValue[], result: CelValue): number =>
  Math.ceil(costSize(result) * 2 * traversalFactor);

function textToText(name: string, call: (text: string) => string): FunctionDefinition {
  return {
    name,
    overloads: [
      { signature: "string.() -> string", call: typedCall(call), ...inRules(readOnce), estimate: readingEstimate },
    ],
  };
}

function search(signature: string, call: (text: string, part: string, from?: Int) => Int): Overload {
  return {
    signature,
    call: typedCall<[string, string, Int]>(call),
    ...inRules(traversalCost),
    estimate: estimateTraversal,
  };
}

const functions: readonly FunctionDefinition[] = [
  { name: "charAt", overloads: [{ signature: "string.(int) -> string", call: typedCall<[string, Int]>(charAt) }] },
  {
    name: "indexOf",
    overloads: [search("string.(string) -> int", indexOf), search("string.(string, int) -> int", indexOf)],
  },
  {
    name: "lastIndexOf",
    overloads: [search("string.(string) -> int", lastIndexOf), search("string.(string, int) -> int", lastIndexOf)],
  },
  textToText("lowerAscii", lowerAscii),
  textToText("upperAscii", upperAscii),
  textToText("trim", trim),
  {
    name: "replace",
    overloads: ["string.(string, string) -> string", "string.(string, string, int) -> string"].map((signature) => ({
      signature,
      call: typedCall<[string, string, string, Int]>(replace),
      ...inRules(readTwice),
      estimate: estimateReplace,
    })),
  },
  {
    name: "split",
    overloads: ["string.(string) -> list(string)", "string.(string, int) -> list(string)"].map((signature) => ({
      signature,
      call: typedCall<[string, string, Int]>(split),
      ...inRules(readTwice),
      estimate: estimateSplit,
    })),
  },
  {
    name: "substring",
    overloads: ["string.(int) -> string", "string.(int, int) -> string"].map((signature) => ({
      signature,
      call: typedCall<[string, Int, Int]>(substring),
      ...inRules(readOnce),
      estimate: readingEstimate,
    })),
  },
  {
    name: "join",
    overloads: ["list(string).() -> string", "list(string).(string) -> string"].map((signature) => ({
      signature,
      call: join,
      ...inRules(joinCost),
      estimate: estimateJoin,
    })),
  },
];

const functionsSince29: readonly FunctionDefinition[] = [
  {
    name: "format",
    overloads: [
      {
        signature: "string.(list(dyn)) -> string",
        call: typedCall(format),
        cost: readOnce,
        estimate: estimateReading,
      },
    ],
  },
  {
    name: "strings.quote",
    overloads: [{ signature: "(string) -> string", call: typedCall(quote), cost: readOnce, estimate: estimateQuote }],
  },
];

/** The functions of texts up to 1.28. */
export const strings: Library = { name: "strings", introduced: [1, 0], removed: [1, 29], functions };

/** The functions of texts since 1.29. */
export const stringsSince29: Library = {
  name: "strings",
  introduced: [1, 29],
  functions: [...functions, ...functionsSince29],
};
