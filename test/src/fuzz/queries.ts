import { oddText, percentEncoded } from "./odd-values.js";
import type { Random } from "./random.js";

/** Beyond every version there will be: the only cause for which 504 is right. */
export const futureVersion = "900000000000";

const versions = ["", "0", "1", "2", "50", "-1", "1.5", "abc", "00", "+5", "0x10", "18446744073709551616", " 1", "1e3"];
const limits = ["", "0", "1", "2", "500", "-1", "abc", "9223372036854775807", "9223372036854775808", "1e9", "0.5"];
const booleans = ["", "0", "1", "true", "false", "TRUE", "yes", "maybe"];
const labelSelectors = [
  "",
  "a=b",
  "a==b",
  "a!=b",
  "a in (b,c)",
  "a notin ()",
  "!a",
  "a",
  "a=b,",
  ",",
  "a in (",
  "a=b=c",
  "a>1",
  "a<x",
  "(((",
  "a in (b",
  "__proto__=x",
  "x/y/z=a",
  `${"a".repeat(300)}=b`,
  "a=b,".repeat(1000),
  "a in (".repeat(500),
  "é=ü",
  "\u0000",
  "a=\u{1F600}",
];
const fieldSelectors = [
  "",
  "metadata.name=a",
  "metadata.name!=a",
  "metadata.namespace=fuzz-0",
  "metadata.name=a,metadata.namespace=fuzz-0",
  "spec.nodeName=x",
  "status.phase=Running",
  "none=x",
  "=",
  "a",
  "metadata.name=a\\,b",
  "metadata.name=a\\",
  "metadata.name==",
  ",,,",
  "__proto__=x",
  "metadata.name=".repeat(300),
];

const parameters: readonly (readonly [name: string, value: (random: Random) => string])[] = [
  ["resourceVersion", (random) => random.pick(versions)],
  ["resourceVersionMatch", (random) => random.pick(["", "Exact", "NotOlderThan", "exact", "Any"])],
  ["limit", (random) => random.pick(limits)],
  ["continue", continueToken],
  ["labelSelector", (random) => random.pick(labelSelectors)],
  ["fieldSelector", (random) => random.pick(fieldSelectors)],
  ["timeoutSeconds", (random) => random.pick(["1", "1", "0", "-1", "x", "9223372036854775807"])],
  ["timeout", (random) => random.pick(["10s", "34s", "0", "-1s", "x", "1h1h", "9".repeat(50)])],
  ["allowWatchBookmarks", (random) => random.pick(booleans)],
  ["sendInitialEvents", (random) => random.pick(booleans)],
  ["dryRun", (random) => random.pick(["", "All", "all", "None", "All,All"])],
  ["fieldValidation", (random) => random.pick(["", "Ignore", "Warn", "Strict", "strict", "x"])],
  ["fieldManager", (random) => random.pick(["", "m", "m".repeat(129), "\u0001", "é"])],
  ["force", (random) => random.pick(booleans)],
  ["gracePeriodSeconds", (random) => random.pick(["0", "1", "-1", "x", "9223372036854775808"])],
  ["propagationPolicy", (random) => random.pick(["Orphan", "Background", "Foreground", "x", ""])],
  ["orphanDependents", (random) => random.pick(booleans)],
  ["pretty", (random) => random.pick(booleans)],
  ["includeObject", (random) => random.pick(["None", "Metadata", "Object", "x"])],
  ["__proto__", oddText],
  ["verbose", (random) => random.pick(booleans)],
];

function continueToken(random: Random): string {
  const documents = [
    { v: "meta.k8s.io/v1", rv: 1, start: "a\u0000" },
    { v: "meta.k8s.io/v1", rv: -1, start: "fuzz-0/a\u0000" },
    { v: "meta.k8s.io/v1", rv: 0, start: "fuzz-0/a\u0000" },
    { v: "meta.k8s.io/v1", rv: 10, start: "../../secrets/\u0000" },
    { v: "meta.k8s.io/v1", rv: 10, start: "/" },
    { v: "meta.k8s.io/v1", rv: 10, start: "" },
    { v: "meta.k8s.io/v1", rv: "x", start: 1 },
    { v: "v9", rv: 1, start: "a\u0000" },
    { __proto__: null, v: "meta.k8s.io/v1", rv: 10, start: "z".repeat(3000) },
    [],
    null,
  ];
  return random.weighted([
    [4, () => Buffer.from(JSON.stringify(random.pick(documents))).toString("base64url")],
    [1, () => random.bytes(random.below(30)).toString("base64url")],
    [1, () => random.pick(["", "x", "====", "%", "\u0000", "A".repeat(5000)])],
  ]);
}

/** A query string, right or wrong, with its question mark; often empty. */
export function oddQuery(random: Random): string {
  const parts: string[] = [];
  for (let count = random.pick([0, 0, 1, 1, 1, 2, 3, 6]); count > 0; count--) {
    const [name, value] = random.pick(parameters);
    parts.push(`${name}=${random.chance(0.9) ? percentEncoded(value(random)) : rawValue(random)}`);
  }
  if (random.chance(0.002)) {
    parts.push(`resourceVersion=${futureVersion}`);
  }
  return parts.length === 0 ? random.pick(["", "", "", "?"]) : `?${parts.join(random.chance(0.95) ? "&" : ";")}`;
}

function rawValue(random: Random): string {
  return random.pick(["%", "%zz", "%00", "a=b", "?", "%c3%28", "+", "[]", "%u0041"]);
}
