// Requests that are for no stored object: reviews, paths without resources, unknown resources, odd paths and methods.
import { yamlOf } from "./bodies.mjs";
import { namespace } from "./fixtures.mjs";

const maps = `/api/v1/namespaces/${namespace}/configmaps`;
const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";

const attributes = { namespace, verb: "get", resource: "pods" };
const reviews = [
  [`${authorization}/selfsubjectaccessreviews`, { spec: { nonResourceAttributes: { path: "/x", verb: "get" } } }],
  [`${authorization}/selfsubjectaccessreviews`, { spec: { resourceAttributes: attributes } }],

  [`${authorization}/selfsubjectaccessreviews`, { spec: {} }],
  [`${authorization}/selfsubjectrulesreviews`, { spec: { namespace: "" } }],
  [`${authorization}/subjectaccessreviews`, { spec: { user: "bob", resourceAttributes: attributes } }],
  [
    `${authorization}/subjectaccessreviews`,
    { spec: { user: "jane", groups: ["g"], extra: { k: ["v"] }, nonResourceAttributes: { path: "/", verb: "get" } } },
  ],
  [
    `${authorization}/namespaces/${namespace}/localsubjectaccessreviews`,
    { metadata: { namespace }, spec: { user: "bob", resourceAttributes: attributes } },
  ],
  [
    `${authorization}/namespaces/${namespace}/localsubjectaccessreviews`,
    { spec: { user: "bob", resourceAttributes: { ...attributes, namespace: "other" } } },
  ],
  [`${authentication}/selfsubjectreviews`, {}],
  [
    `${authentication}/selfsubjectreviews`,
    { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: { labels: { a: "b" } } },
  ],
  [`${authentication}/tokenreviews`, { spec: { token: "user-token" } }],
  [`${authentication}/tokenreviews`, { spec: { token: "unknown", audiences: ["a"] } }],
  [`${authentication}/tokenreviews`, {}],
];

const plainPaths = [
  ...[
    "/",
    "/api",
    "/api/",
    "/apis",
    "/apis/apps",
    "/apis/apps/v1",
    "/apis/none",
    "/api/v1",
    "/api/v2",
    "/version",
    "/version/",
  ],
  ...["/healthz", "/livez", "/readyz/ping", "/healthz/none", "/livez?exclude=ping&verbose", "/nothing", "/nothing/a/b"],
  ...["/openapi/v3", "/openapi/v3/none", "/.well-known/openid-configuration", "/openid/v1/jwks", "/swagger.json"],
  ...[
    "//version",
    "/nothing%00",
    "/%E2%82%AC",
    "/version?a=%zz",
    "/API/v1/pods",
    "/nothing;a=b",
    "/healthz/",
    "/%2e%2e",
    "/a%2Fb?c=d e".replace(" ", "%20"),
  ],
];
const resourcePaths = [
  ...[
    maps,
    `${maps}/`,
    `${maps}/fixed`,
    `${maps}/fixed/`,
    `${maps}//fixed`,
    `${maps}/fixed/none`,
    `${maps}/fixed/status`,
    `${maps}/a%2Fb`,
    `${maps}/a%20b`,
  ],
  ...[
    `${maps}/%C3%A4`,
    `${maps}/a;b=c`,
    `${maps}/..`,
    `${maps}/.`,
    `${maps}/%2e%2e/secrets`,
    "/api//v1",
    "/api/v1//pods",
    "/apis//v1/things",
  ],
  ...[
    "/apis/none.example.com/v1/things",
    "/apis/none.example.com/v1/things/a/status",
    "/apis/apps/v9/deployments",
    "/apis/apps/v1/things",
  ],
  ...[
    `/api/v1/namespaces/${namespace}/`,
    `/api/v1/namespaces/${namespace}`,
    "/api/v1/namespaces//configmaps",
    "/api/v1/namespaces/none/configmaps/a",
  ],
  ...[
    "/api/v1/componentstatuses?fieldSelector=metadata.name%3Dx",
    `/api/v1/watch/namespaces/${namespace}/configmaps/fixed?timeoutSeconds=1`,
    "/api/v1/watch/none",
  ],
  ...[
    `/api/v1/watch/namespaces/${namespace}/configmaps?timeoutSeconds=1&labelSelector=kept`,
    `${maps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dfixed`,
  ],
  ...[
    `/api/v1/proxy/namespaces/${namespace}/pods/fixed`,
    "/api/v1/nodes/none/proxy/stats",
    `/api/v1/namespaces/${namespace}/pods/https:fixed:1/proxy`,
  ],
  ...[
    `/apis/example.com/v1/namespaces/${namespace}/widgets?limit=1`,
    `/apis/example.com/v3/namespaces/${namespace}/widgets`,
    "/apis/example.com/v1",
    "/apis/example.com",
  ],
  ...[
    `/api/v1/namespaces/${namespace}/services/none/proxy/x`,
    `${maps}?fieldSelector=metadata.name%3Dfixed`,
    `${maps}?fieldSelector=metadata.name%3Da%2Fb`,
  ],
];
const methods = ["GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"];
const discovery = [
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
  "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList",
  "application/vnd.kubernetes.protobuf",
  "application/yaml",
  "image/png",
];

/** Returns steps of a review that is answered and not stored; see objects.mjs. */
export function reviewRequest(r) {
  const [path, body] = r.pick(reviews);
  const isYaml = r.chance(0.15);
  return {
    name: `review ${path}`,
    step: {
      method: "POST",
      path: r.chance(0.15) ? `${path}?${r.pick(["dryRun=All", "dryRun=x", "pretty=1", "fieldValidation=x"])}` : path,
      headers: { "content-type": isYaml ? "application/yaml" : "application/json" },
      body: isYaml ? yamlOf(body) || "{}" : JSON.stringify(body),
      sent: body,
    },
  };
}

/** Returns steps of a request of any method for any path; see objects.mjs. */
export function pathRequest(r) {
  const path = r.pick(r.chance(0.5) ? plainPaths : resourcePaths);
  // Whole collections are not deleted.
  const method = r.chance(0.55) ? "GET" : r.pick(methods);
  const isKept =
    method === "DELETE" && /\/configmaps(?:\/|\/fixed)?(?:\?.*)?$|\/namespaces\/[^/]*\/?$|widgets/.test(path);
  const hasBody = ["POST", "PUT", "PATCH"].includes(method) && r.chance(0.7);
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  return {
    name: `path ${path}`,
    step: {
      method: isKept ? "GET" : method,
      path,
      headers: { ...(hasBody && { "content-type": type }), ...(r.chance(0.2) && { accept: r.pick(discovery) }) },
      ...(hasBody && { body: "{}", sent: {} }),
      maxMs: 5000,
    },
  };
}
