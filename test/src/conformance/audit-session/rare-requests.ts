import { mediaHeaders, type Step } from "./step.js";

const { json, merge, jsonPatch, apply, yaml, table } = mediaHeaders;

/** Requests that few clients send: subresources of all sorts, connections to elsewhere, and what nobody should send. */
export function rareRequests(tag: string): readonly Step[] {
  return [
    ...connections(tag),
    ...subresources(tag),
    ...approvals(tag),
    ...oddBodies(tag),
    ...oddUrls(tag),
    ...odderCallers(tag),
  ];
}

const get = (path: string, headers?: Step["headers"]): Step => ({ method: "GET", path, ...(headers && { headers }) });
const send = (method: string, path: string, body: string, headers: Step["headers"] = json): Step => ({
  method,
  path,
  headers: headers ?? {},
  body,
});

/** What would be handed on to a kubelet or a pod, if there were one. */
function connections(tag: string): readonly Step[] {
  const pod = `/api/v1/namespaces/${tag}/pods/none`;
  const service = `/api/v1/namespaces/${tag}/services`;
  const websocket = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": "v5.channel.k8s.io",
  };
  return [
    get(`${pod}/exec?command=ls&stdout=1`),
    get(`${pod}/exec?command=ls&stdout=1`, websocket),
    { method: "POST", path: `${pod}/attach?stdout=1` },
    get(`${pod}/attach`, websocket),
    get(`${pod}/portforward?ports=80`),
    get(`${pod}/portforward?ports=80`, websocket),
    ...["GET", "POST", "PUT", "PATCH", "DELETE"].map((method): Step => ({ method, path: `${pod}/proxy/a/b?c=d` })),
    get(`${pod}:8080/proxy/`),
    get(`${service}/none/proxy`),
    get(`${service}/https:none:443/proxy/a`),
    { method: "DELETE", path: `${service}/none/proxy/a` },
    get("/api/v1/nodes/none/proxy/stats"),
    { method: "POST", path: "/api/v1/nodes/none/proxy/run", headers: json, body: '{"a":1}' },
    get(`${pod}/ephemeralcontainers`),
    get(`${pod}/exec?command=ls`, { "impersonate-user": "bob" }),
    { method: "POST", path: `${pod}/exec?command=ls`, as: "jane" },
    { method: "POST", path: `${pod}/exec?command=ls`, as: "anonymous" },
  ];
}

function subresources(tag: string): readonly Step[] {
  const pods = `/api/v1/namespaces/${tag}/pods`;
  const pod = `${pods}/${tag}-rare`;
  const scale = `/apis/apps/v1/namespaces/${tag}/replicasets/${tag}-rare/scale`;
  const spec = { containers: [{ name: "c", image: "registry.example.com/c:1" }] };
  const template = { metadata: { labels: { app: "rare" } }, spec };
  const account = `/api/v1/namespaces/${tag}/serviceaccounts/default/token`;
  return [
    send("POST", pods, JSON.stringify({ metadata: { name: `${tag}-rare` }, spec })),
    send("PATCH", `${pod}/ephemeralcontainers`, '{"spec":{"ephemeralContainers":[{"name":"d","image":"d:1"}]}}', merge),
    send("PUT", `${pod}/status`, `{"metadata":{"name":"${tag}-rare"},"status":{"phase":"Running"}}`),
    send("PATCH", `${pod}/status?fieldManager=k`, `kind: Pod\napiVersion: v1\nmetadata: {name: ${tag}-rare}\n`, apply),
    send(
      "POST",
      `${pods}/${tag}-rare/eviction`,
      '{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"other"}}',
    ),
    send("POST", `${pods}/none/eviction`, '{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"none"}}'),
    send("POST", `${pods}/none/eviction`, '{"metadata":{"name":"none"},"deleteOptions":{"dryRun":["All"]}}'),
    send("POST", `${pods}/none/binding`, '{"metadata":{"name":"none"},"target":{"kind":"Node","name":"n"}}'),
    send("POST", `${pods}/none/binding`, '{"metadata":{"name":"none"}}'),
    send(
      "POST",
      `/api/v1/namespaces/${tag}/bindings`,
      '{"metadata":{"name":"none"},"target":{"kind":"Node","name":"n"}}',
    ),
    send(
      "POST",
      `/apis/apps/v1/namespaces/${tag}/replicasets`,
      JSON.stringify({
        metadata: { name: `${tag}-rare` },
        spec: { replicas: 0, selector: { matchLabels: { app: "rare" } }, template },
      }),
    ),
    get(scale, table),
    send("PUT", scale, `{"metadata":{"name":"${tag}-rare"},"spec":{"replicas":-1}}`),
    send("PATCH", scale, '[{"op":"replace","path":"/spec/replicas","value":1}]', jsonPatch),
    send(
      "PATCH",
      `${scale}?fieldManager=k&force=true`,
      "kind: Scale\napiVersion: autoscaling/v1\nspec: {replicas: 0}\n",
      apply,
    ),
    get(`/apis/apps/v1/namespaces/${tag}/replicasets/none/scale`),
    send(
      "POST",
      account,
      '{"spec":{"audiences":["a"],"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"none"}}}',
    ),
    send("POST", account, '{"spec":{"expirationSeconds":1}}'),
    send("POST", account, "spec: {audiences: [b]}\n", yaml),
    send("POST", `${account}?dryRun=All`, "{}"),
    { method: "DELETE", path: `${pod}?gracePeriodSeconds=0` },
    { method: "DELETE", path: `${pod}/status` },
    { method: "DELETE", path: `/apis/apps/v1/namespaces/${tag}/replicasets/${tag}-rare?orphanDependents=true` },
  ];
}

/** Requests for certificates, what decides them, and reviews. */
function approvals(tag: string): readonly Step[] {
  const all = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const review = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  return [
    send(
      "POST",
      all,
      `{"metadata":{"name":"${tag}"},"spec":{"request":"eA==","signerName":"a.b/c","usages":["digital signature"]}}`,
    ),
    get(`${all}/${tag}`),
    get(`${all}/${tag}/approval`),
    send(
      "PUT",
      `${all}/${tag}/approval`,
      `{"metadata":{"name":"${tag}"},"status":{"conditions":[{"type":"Approved","status":"True"}]}}`,
    ),
    send("PATCH", `${all}/${tag}/approval`, '{"status":{}}', merge),
    send("PATCH", `${all}/${tag}/status`, '{"status":{"certificate":"eA=="}}', merge),
    { method: "DELETE", path: `${all}/${tag}` },
    send(
      "POST",
      review,
      '{"spec":{"user":"u","groups":["g"],"extra":{"k":["v"]},"nonResourceAttributes":{"path":"/","verb":"get"}}}',
    ),
    send("POST", review, '{"spec":{}}'),
    send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", '{"spec":{"token":"unknown","audiences":["a"]}}'),
    send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", "spec: {token: user-token}\n", yaml),
    send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", "{}"),
    { method: "GET", path: "/apis/authentication.k8s.io/v1/tokenreviews" },
  ];
}

function oddBodies(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const one = `${maps}/${tag}-rare`;
  return [
    send("POST", maps, ""),
    send("POST", maps, "null"),
    send("POST", maps, '"text"'),
    send("POST", maps, "\u0000"),
    send("POST", maps, `{"metadata":{"name":"${tag}-rare"},"data":{"a":"1","a":"2"}}`),
    send("POST", maps, "a: [\n", yaml),
    send("POST", maps, "- a\n", yaml),
    send("POST", maps, "{}", { "content-type": "" }),
    send("PUT", one, '{"metadata":{"name":"other"}}'),
    send("PUT", one, "a: [\n", yaml),
    send("PATCH", one, "[]", merge),
    send("PATCH", one, '{"data":', merge),
    send("PATCH", one, '[{"op":"odd"}]', jsonPatch),
    send("PATCH", one, "", merge),
    send("PATCH", `${one}?fieldManager=k`, "kind: Secret\napiVersion: v1\n", apply),
    send("PATCH", one, "kind: ConfigMap\napiVersion: v1\n", apply),
    send("DELETE", one, '{"kind":"Pod","apiVersion":"v1"}'),
    send("DELETE", one, '{"gracePeriodSeconds":'),
    send("DELETE", `${maps}?labelSelector=run%3Dnone`, '{"kind":"Odd","apiVersion":"v1"}'),
    { method: "DELETE", path: one },
  ];
}

function oddUrls(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  return [
    get(`${maps}/a%2Fb`),
    get(`${maps}/a b`.replace(" ", "%20")),
    get(`${maps}/`),
    get(`${maps}//a`),
    get(`/api/v1/namespaces/${tag}/`),
    get("/api//v1"),
    get("/apis//v1/things"),
    get("/api/v2/pods"),
    get("/API/v1/pods"),
    get("/api/v1/watch/configmaps/a/b/c?timeoutSeconds=1"),
    get(`/api/v1/proxy/namespaces/${tag}/pods/none`),
    get("/healthz/none"),
    get("/livez?exclude=ping"),
    get("/.well-known/openid-configuration"),
    get("/openid/v1/jwks"),
    get("/openapi/v2?a=b", { accept: "image/png" }),
    get("/swagger.json"),
    get("/version/"),
    get("/debug/none"),
    { method: "TRACE", path: `${maps}/a` },
    { method: "PROPFIND", path: maps },
    { method: "OPTIONS", path: "/version" },
    { method: "HEAD", path: maps },
    { method: "HEAD", path: "/api/v1" },
    { method: "POST", path: "/api/v1" },
    { method: "PATCH", path: "/apis/apps/v1/none", headers: merge, body: "{}" },
    get(`${maps}?fieldSelector=odd%3D1`),
    get(`${maps}?watch=1&timeoutSeconds=odd`),
    get(`${maps}?watch=1&timeoutSeconds=1&allowWatchBookmarks=1&labelSelector=run%3Dnone`),
    get(`${maps}?watch=1&sendInitialEvents=true&labelSelector=run%3Dnone`),
    get(`${maps}/none?watch=1&timeoutSeconds=1`),
  ];
}

/** Callers who are nobody, or somebody else than they are. */
function odderCallers(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const as = (headers: Readonly<Record<string, string>>): Step => get(`${maps}/a`, headers);
  return [
    as({ authorization: "Basic YTpi" }),
    as({ authorization: "Bearer" }),
    as({ authorization: "bearer admin-token" }),
    as({ authorization: "Bearer admin-token extra" }),
    as({ "impersonate-user": "bob", "impersonate-extra-scopes%2fa": "v", "impersonate-uid": "u" }),
    as({ "impersonate-uid": "u" }),
    as({ "impersonate-extra-k": "v" }),
    as({ "impersonate-user": "system:serviceaccount:a:" }),
    as({ "impersonate-user": "system:anonymous", "impersonate-group": "system:unauthenticated" }),
    as({ "impersonate-user": "bob", "impersonate-group": "system:authenticated" }),
    { method: "DELETE", path: maps, as: "anonymous" },
    { method: "DELETE", path: maps, as: "nobody" },
    { method: "OPTIONS", path: maps, as: "anonymous" },
    { method: "TRACE", path: maps, as: "nobody" },
    { method: "GET", path: "/nothing", as: "anonymous" },
    { method: "GET", path: "/nothing", as: "nobody" },
    { method: "GET", path: `${maps}?watch=1&timeoutSeconds=1`, headers: { "impersonate-user": "bob" }, as: "jane" },
  ];
}
