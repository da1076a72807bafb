// What lies below the API, in many combinations: encodings, conditions, ranges, origins, who is asking, health checks,
// and the same over HTTP/2.
import { namespace, setUp } from "../lib/sample-objects.mjs";

export const parallel = 4;

const cms = `/api/v1/namespaces/${namespace}/configmaps`;
const discovery = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const paths = [
  "/api",
  "/apis",
  "/apis/apps",
  "/apis/apps/v1",
  "/api/v1",
  "/version",
  "/version/",
  "/healthz",
  "/livez/ping",
  "/readyz?verbose",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/apis/apps/v1",
  "/openapi/v3/nope",
  "/nope",
  "/metrics",
  "/.well-known/openid-configuration",
  "/openid/v1/jwks",
  `${cms}/sample-configmaps`,
  cms,
  `${cms}/absent`,
  "/api/v1/nodes",
];

const headersOnly = ({ status }) => status;
const get = (path, headers, more) => ({
  method: "GET",
  path,
  headers,
  view: headersOnly,
  exceptHeaders: ["etag"],
  ...more,
});
const one = (name, ...steps) => ({ name, steps, independent: true });

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  await Promise.all(sides.map(setUp));
  for (const path of paths) {
    for (const via of [undefined, "http2"]) {
      yield* requests(path, via);
    }
  }
  yield* health();
  yield* identities();
  yield* discoveryForms();
}

function* requests(path, via) {
  const how = via ?? "http1";
  for (const encoding of [
    "gzip",
    "GZIP",
    "x-gzip",
    "gzip;q=0.5",
    "gzip;q=0",
    "gzip; q=1.0",
    "identity",
    "*;q=0",
    "br;q=1, gzip;q=0.8",
    "gzip,",
    " gzip ",
    "",
  ]) {
    yield one(`${how} encoding '${encoding}' ${path}`, get(path, { "accept-encoding": encoding }, { via }));
  }
  for (const [name, headers] of Object.entries({
    "if-none-match": { "if-none-match": '"x"' },
    "if-none-match *": { "if-none-match": "*" },
    "if-match": { "if-match": '"x"' },
    "if-modified-since past": { "if-modified-since": "Mon, 01 Jan 2001 00:00:00 GMT" },
    "if-modified-since future": { "if-modified-since": "Mon, 01 Jan 2085 00:00:00 GMT" },
    "if-unmodified-since past": { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" },
    "if-range": { "if-range": '"x"', range: "bytes=0-3" },
    range: { range: "bytes=0-3" },
    "range at the end": { range: "bytes=-3" },
    "range beyond": { range: "bytes=999999999-" },
    "range of no unit": { range: "lines=1-2" },
    "bad range": { range: "bytes=5-1" },
    "empty range": { range: "" },
    "cache-control": { "cache-control": "no-cache" },
    "x-http-method-override": { "x-http-method-override": "DELETE" },
    "content-type on GET": { "content-type": "text/plain" },
    te: { te: "trailers" },
    "upgrade-insecure": { "upgrade-insecure-requests": "1" },
    "accept twice": { accept: "text/html, application/yaml" },
    "accept nothing": { accept: "image/png" },
    "user agent of a browser": { "user-agent": "Mozilla/5.0 (X11)" },
    origin: { origin: "https://example.com" },
    "origin null": { origin: "null" },
  }))
    yield one(`${how} ${name} ${path}`, get(path, headers, { via }));
  for (const method of ["HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"]) {
    if (["POST", "PUT", "PATCH", "DELETE"].includes(method) && path.startsWith("/api/v1/n")) continue;
    yield one(`${how} ${method} ${path}`, { ...get(path, {}, { via }), method });
  }
  yield one(`${how} preflight ${path}`, {
    ...get(path, { origin: "https://example.com", "access-control-request-method": "GET" }, { via }),
    method: "OPTIONS",
  });
  for (const query of ["pretty=true", "timeout=5s", "timeout=x", "x=%zz", "verbose"])
    yield one(`${how} ?${query} ${path}`, get(`${path}${path.includes("?") ? "&" : "?"}${query}`, {}, { via }));
}

function* health() {
  for (const root of ["/healthz", "/livez", "/readyz"]) {
    for (const text of [
      "verbose=",
      "verbose=false",
      "verbose=x",
      "exclude=",
      "exclude=ping",
      "exclude=ping&exclude=log",
      "exclude=ping,log",
      "exclude=nope&exclude=etcd",
      "verbose&exclude=ping&exclude=nope",
      "allowlist=ping",
      "timeout=1s",
    ]) {
      const view = ({ body }) => body.toString().replace(/^\[\+\](?!ping|log|etcd|informer|shutdown).*\n/gm, "");
      yield one(`${root}?${text}`, { method: "GET", path: `${root}?${text}`, view });
    }
    for (const name of [
      "ping",
      "log",
      "etcd",
      "informer-sync",
      "shutdown",
      "etcd-readiness",
      "autoregister-completion",
      "poststarthook/crd-informer-synced",
      "poststarthook/start-apiextensions-controllers",
      "poststarthook/nope",
      "poststarthook",
      "poststarthook/",
      "nope",
      "ping/",
      "ping/x",
      "PING",
    ]) {
      for (const text of ["", "?verbose", "?exclude=ping"])
        yield one(`${root}/${name}${text}`, { method: "GET", path: `${root}/${name}${text}` });
      yield one(`HEAD ${root}/${name}`, { method: "HEAD", path: `${root}/${name}` });
      yield one(`POST ${root}/${name}`, { method: "POST", path: `${root}/${name}` });
    }
  }
}

function* identities() {
  const bearer = (token) => ({ authorization: `Bearer ${token}` });
  for (const [name, headers] of Object.entries({
    none: {},
    token: bearer("admin-token"),
    wrong: bearer("x"),
    "a list of tokens": bearer("admin-token, x"),
    "no scheme": { authorization: "admin-token" },
    "only scheme": { authorization: "Bearer" },
    basic: { authorization: "Basic YWRtaW46YWRtaW4=" },
    tab: { authorization: "Bearer\tadmin-token" },
    upper: { authorization: "BEARER admin-token" },
    "token and impersonation": { ...bearer("admin-token"), "impersonate-user": "jane" },
    "impersonation alone": { "impersonate-user": "jane" },
    "wrong and impersonation": { ...bearer("x"), "impersonate-user": "jane" },
    "user and two groups": {
      ...bearer("admin-token"),
      "impersonate-user": "jane",
      "impersonate-group": ["system:masters", "b"],
    },
    "extra with escapes": { ...bearer("admin-token"), "impersonate-user": "jane", "impersonate-extra-a%2Fb": "c" },
    "two users": { ...bearer("admin-token"), "impersonate-user": ["jane", "joe"] },
    "empty group": { ...bearer("admin-token"), "impersonate-user": "jane", "impersonate-group": "" },
    node: { ...bearer("admin-token"), "impersonate-user": "system:node:n" },
    "unknown impersonation": { ...bearer("admin-token"), "impersonate-nonsense": "x" },
  })) {
    for (const path of [
      "/api/v1/namespaces/default",
      "/healthz",
      "/readyz/ping",
      "/version",
      "/api",
      "/apis",
      "/nope",
      "/metrics",
      "/openapi/v3",
      "/.well-known/openid-configuration",
      "/openid/v1/jwks",
    ]) {
      yield one(
        `${name} ${path}`,
        get(path, headers, { as: "none", view: ({ status, body }) => (status < 400 ? "" : body.toString()) }),
      );
    }
    for (const version of ["v1", "v1beta1", "v1alpha1"])
      yield one(`${name} who am I ${version}`, {
        method: "POST",
        path: `/apis/authentication.k8s.io/${version}/selfsubjectreviews`,
        headers,
        as: "none",
        body: {},
      });
  }
}

function* discoveryForms() {
  const forms = [
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    discovery,
    discovery.replace("v2beta1", "v2"),
    `${discovery},application/json`,
    `application/yaml;${discovery.split(";").slice(1).join(";")}`,
    `application/vnd.kubernetes.protobuf;${discovery.split(";").slice(1).join(";")}`,
    `${discovery};profile=nopeer`,
    "application/json;as=APIGroupDiscoveryList",
    "application/json;as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io;q=0.5,application/yaml",
    table,
    "text/plain",
    "*/*",
    "application/*",
    "application/json;q=0",
    "application/json;charset=utf-8",
  ];
  for (const path of [
    "/api",
    "/apis",
    "/api/",
    "/apis/",
    "/api/v1",
    "/apis/apps",
    "/apis/apps/v1",
    "/apis/nope",
    "/apis/apps/v9",
    "/version",
    "/",
  ]) {
    for (const accept of forms) yield one(`${path} as ${accept}`, get(path, { accept }));
  }
}
