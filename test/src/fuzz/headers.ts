import type { Random } from "./random.js";

const accepts = [
  "*/*",
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/vnd.kubernetes.protobuf,application/json",
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=Table;g=meta.k8s.io;v=v1,application/json",
  "application/json;as=Table;g=meta.k8s.io;v=v9",
  "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  "application/json;as=__proto__;g=x;v=y",
  "application/json;as=constructor;g=meta.k8s.io;v=v1",
  "text/html",
  "application/xml,image/png;q=0.5",
  "application/json;q=0",
  "application/json;q=x",
  ";;;",
  ",,,",
  "a/b;c=d".repeat(100),
  "application/cbor",
  "application/json;stream=watch",
  "application/json;charset=utf-8",
];

const contentTypes = [
  "",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "text/plain",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/vnd.kubernetes.protobuf",
  "application/yaml",
  "application/json-patch+json",
  ";",
  "json",
  "application/json;;;;",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/cbor",
];

const oddHeaders: readonly (readonly [name: string, value: string])[] = [
  ["accept-encoding", "gzip"],
  ["accept-encoding", "gzip;q=0, br"],
  ["accept-encoding", "*"],
  ["content-encoding", "gzip"],
  ["x-http-method-override", "DELETE"],
  ["authorization", "Bearer x"],
  ["authorization", "Basic eDp4"],
  ["authorization", "Negotiate"],
  ["if-match", '"1"'],
  ["if-none-match", "*"],
  ["range", "bytes=0-10"],
  ["cookie", "a=b"],
  ["origin", "https://evil.example"],
  ["referer", "https://evil.example"],
  ["user-agent", "curl/8.0"],
  ["user-agent", "Mozilla/5.0"],
  ["user-agent", "x".repeat(3000)],
  ["audit-id", "mine"],
  ["audit-id", "x".repeat(200)],
  ["x-forwarded-for", "1.2.3.4, 5.6.7.8"],
  ["x-remote-user", "admin"],
  ["kubectl-command", "kubectl get"],
  ["__proto__", "x"],
  ["x-long", "y".repeat(6000)],
];

/** Headers besides those of the body, often none. */
export function oddHeaderSet(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(0.2)) {
    headers["accept"] = random.pick(accepts);
  }
  for (let count = random.pick([0, 0, 0, 1, 2]); count > 0; count--) {
    const [name, value] = random.pick(oddHeaders);
    Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return headers;
}

/** Returns the content type of a body: nearly always the true one. */
export function contentTypeFor(random: Random, truth: string): string {
  return random.chance(0.93) ? truth : random.pick(contentTypes);
}
