import { oddText, percentEncoded } from "./odd-values.js";
import type { Random } from "./random.js";
import type { FuzzTarget } from "./templates.js";

/** The namespaces that requests write to. Nothing writes anywhere else. */
export const fuzzNamespaces = ["fuzz-0", "fuzz-1", "fuzz-2"];
/** A namespace whose objects no request is meant for. */
export const sentinelNamespace = "sentinel";

/** Few names, so that requests meet objects that are there. */
const names = ["a", "b", "c", "d"];

export function fuzzName(random: Random): string {
  return random.pick(names);
}

export function collectionPath(target: FuzzTarget, namespace: string): string {
  const prefix = target.group === "" ? `/api/${target.version}` : `/apis/${target.group}/${target.version}`;
  return target.namespaced ? `${prefix}/namespaces/${namespace}/${target.resource}` : `${prefix}/${target.resource}`;
}

/** Segments as attackers and broken clients write them. */
const oddSegments = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%2E",
  "%2F",
  "a%2Fb",
  "%00",
  "a%00b",
  "%zz",
  "%",
  "%c3%28",
  "%e6%bc%a2",
  "a b".replace(" ", "%20"),
  "a+b",
  "A",
  "-a",
  "a..b",
  "__proto__",
  "constructor",
  "x".repeat(300),
  "x".repeat(8000),
  "*",
  ";v=1",
  "a;b",
  "a:b",
  "status",
  "scale",
  "log",
  "exec",
  "proxy",
  "watch",
  "namespaces",
  "v1",
  "apis",
  "eviction",
  "token",
  "binding",
  "%25%32%46",
  "..%2f..%2fsecrets",
  "%5c..",
];

const knownPaths = [
  "/",
  "/api",
  "/apis",
  "/api/v1",
  "/apis/apps",
  "/apis/apps/v1",
  "/version",
  "/healthz",
  "/livez",
  "/readyz",
  "/readyz/ping",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/apis/batch/v1",
  "/openid/v1/jwks",
  "/.well-known/openid-configuration",
  "/metrics",
  "/logs",
  "/debug/pprof",
  "/apis/none.example.com/v1/things",
  "/apis/apps/v9/deployments",
  "/api/v2/pods",
  "/api/v1/none",
  "/api/v1/namespaces/fuzz-0/none",
  "/api/v1/namespaces/fuzz-0",
  "/api/v1/namespaces/fuzz-0/status",
  "/api/v1/namespaces/fuzz-0/finalize",
  "/api/v1/watch/namespaces/fuzz-0/configmaps",
  "/api/v1/watch/configmaps",
  "/api/v1/proxy/namespaces/fuzz-0/pods/a",
  "/api/v1/componentstatuses",
  "/api/v1/componentstatuses/etcd-0",
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  "/apis/authentication.k8s.io/v1/tokenreviews",
  "/apis/authentication.k8s.io/v1/selfsubjectreviews",
  "/favicon.ico",
  "*",
];

/** Any path, mostly one with something wrong. Never one that could rightly name an object outside the fuzz namespaces. */
export function oddPath(random: Random, target: FuzzTarget): string {
  if (random.chance(0.3)) {
    return random.pick(knownPaths);
  }
  const segments = `${collectionPath(target, random.pick(fuzzNamespaces))}/${fuzzName(random)}`.split("/");
  for (let changes = 1 + random.below(2); changes > 0; changes--) {
    const at = 1 + random.below(segments.length);
    const segment = random.chance(0.9) ? random.pick(oddSegments) : percentEncoded(oddText(random));
    random.chance(0.6) ? segments.splice(at, 1, segment) : segments.splice(at, 0, segment);
  }
  return segments.join("/") || "/";
}

export function oddSegment(random: Random): string {
  return random.pick(oddSegments);
}
