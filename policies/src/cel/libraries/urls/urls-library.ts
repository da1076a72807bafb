import { scaleRange, unknownSize } from "../../cost/range.js";
import { opaqueType } from "../../types/cel-type.js";
import { CelMap, type CelValue } from "../../values/value.js";
import { inRules, readingCost, traversalFactor } from "../call-cost.js";
import type { FunctionDefinition, Library } from "../library.js";
import { typedCall } from "../typed-call.js";
import { parseQuery } from "./parse-query.js";
import { isUrl, parseUrl, type UrlValue } from "./url-value.js";

function getter(name: string, type: string, call: (url: UrlValue) => CelValue): FunctionDefinition {
  return { name, overloads: [{ signature: `kubernetes.URL.() -> ${type}`, call: typedCall(call) }] };
}

/** The functions that parse URLs and look into them. */
export const urls: Library = {
  name: "urls",
  introduced: [1, 0],
  types: new Map([["kubernetes.URL", opaqueType("kubernetes.URL")]]),
  functions: [
    {
      name: "url",
      overloads: [
        {
          signature: "(string) -> kubernetes.URL",
          call: typedCall(parseUrl),
          ...inRules(readingCost(1)),
          estimate: ([text = unknownSize]) => ({ cost: scaleRange(text, traversalFactor) }),
        },
      ],
    },
    { name: "isURL", overloads: [{ signature: "(string) -> bool", call: typedCall(isUrl) }] },
    getter("getScheme", "string", ({ url }) => url.scheme),
    getter("getHost", "string", ({ url }) => url.host),
    getter("getHostname", "string", (url) => url.hostname),
    getter("getPort", "string", (url) => url.port),
    getter("getEscapedPath", "string", (url) => url.escapedPath),
    getter("getQuery", "map(string, list(string))", ({ url }) => new CelMap(parseQuery(url.query))),
  ],
};
