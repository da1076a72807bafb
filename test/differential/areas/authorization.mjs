// What RBAC lets users do to roles, certificates, tokens and each other. Both servers run with `--authorization-mode=Node,RBAC`
// and the default admission plugins, and know the token `user-token` of jane in developers:
//   node test/differential/start-with-roles.mjs --oracle FOLDER --dir /tmp/NAME --port 21000
import { createHash } from "node:crypto";

const ns = "/api/v1/namespaces/authz";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/authz/roles`;
const bindings = `${rbac}/namespaces/authz/rolebindings`;
const types = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

const as = (user, ...groups) => ({
  "impersonate-user": user,
  ...(groups.length > 0 ? { "impersonate-group": groups } : {}),
});
const jane = { authorization: "Bearer user-token" };
const step = (method, path, body, headers = {}, more = {}) => ({ method, path, body, headers, ...more });
const get = (path, headers) => step("GET", path, undefined, headers);
const post = (path, body, headers) => step("POST", path, body, headers);
const patch = (type, path, body, headers) =>
  step("PATCH", path, JSON.stringify(body), { "content-type": types[type], ...headers });
const quiet = (request) => ({ ...request, quiet: true });
const one = (name, ...steps) => ({ name, steps });
const byToken = (request, headers = jane) => ({ ...request, as: "none", headers: { ...request.headers, ...headers } });

const rule = (verbs, resources, more = {}) => ({ apiGroups: [""], resources, verbs, ...more });
const role = (name, ...rules) => ({ metadata: { name }, rules });
const binding = (name, roleName, subjects, kind = "Role") => ({
  metadata: { name },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: roleName },
  subjects: subjects.map((user) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user })),
});

export async function* cases() {
  yield* setUp();
  yield* forbidden();
  yield* escalations();
  yield* impersonations();
  yield* reviews();
  yield* tokens();
  yield* certificates();
  yield* writesByUsers();
}

function* setUp() {
  const objects = [
    post("/api/v1/namespaces", { metadata: { name: "authz" } }),
    post(`${ns}/serviceaccounts`, { metadata: { name: "builder" } }),
    post(`${ns}/configmaps`, { metadata: { name: "one" }, data: { a: "b" } }),
    post(
      roles,
      role(
        "reader",
        rule(["get", "list"], ["pods", "configmaps"]),
        rule(["get"], ["secrets"], { resourceNames: ["named"] }),
      ),
    ),
    post(bindings, binding("carl-reads", "reader", ["carl"])),
    post(
      roles,
      role(
        "delegate",
        { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["*"] },
        rule(["get", "list"], ["pods"]),
      ),
    ),
    post(bindings, binding("dora-delegates", "delegate", ["dora"])),
    post(
      roles,
      role("escalator", {
        apiGroups: ["rbac.authorization.k8s.io"],
        resources: ["roles", "rolebindings"],
        verbs: ["*", "escalate", "bind"],
      }),
    ),
    post(bindings, binding("eve-escalates", "escalator", ["eve"])),
    post(roles, role("writer", rule(["*"], ["configmaps", "pods", "pods/status", "serviceaccounts/token"]))),
    post(bindings, binding("will-writes", "writer", ["will"])),
    post(
      `${rbac}/clusterroles`,
      role(
        "authz-impersonator",
        rule(["impersonate"], ["users"], { resourceNames: ["carl"] }),
        rule(["impersonate"], ["groups"], { resourceNames: ["readers"] }),
        { apiGroups: ["authentication.k8s.io"], resources: ["userextras/scopes", "uids"], verbs: ["impersonate"] },
      ),
    ),
    post(`${rbac}/clusterrolebindings`, binding("authz-ida", "authz-impersonator", ["ida"], "ClusterRole")),
    post(`${rbac}/clusterroles`, role("authz-paths", { nonResourceURLs: ["/metrics", "/logs/*"], verbs: ["get"] })),
    post(`${rbac}/clusterrolebindings`, binding("authz-pat", "authz-paths", ["pat"], "ClusterRole")),
  ];
  yield one("set up", ...objects.map(quiet));
}

function* forbidden() {
  const paths = [
    "/api/v1/pods",
    `${ns}/pods`,
    `${ns}/pods/x`,
    `${ns}/pods/x/log`,
    `${ns}/pods?watch=1`,
    `${ns}/secrets/named`,
    `${ns}/secrets/other`,
    "/apis/apps/v1/deployments",
    "/apis/example.com/v1/namespaces/a/things/b",
    "/api/v1/nodes/x/proxy/",
    "/api/v1/namespaces/authz",
    "/api/v1/namespaces",
    "/metrics",
    "/logs/",
    "/logs",
    "/logs/x",
    "/healthz",
    "/readyz/ping",
    "/livez?verbose",
    "/version",
    "/version/",
    "/api",
    "/apis",
    "/api/v1",
    "/openapi/v2",
    "/openapi/v3/api/v1",
    "/nope",
    "/apis/nope",
    "/",
    "/debug/pprof/",
    "/.well-known/openid-configuration",
    "/openid/v1/jwks",
    "/api/v1/watch/pods",
    "/apis/authentication.k8s.io/v1",
    `${ns}/configmaps?fieldSelector=metadata.name%3Done`,
    `${ns}/configmaps/one`,
    "/api/v1/persistentvolumes",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin",
  ];
  // Bodies of the allowed ones differ for known causes, and are compared elsewhere.
  const view = ({ status, body }) =>
    status === 403 || status === 401 ? JSON.parse(body.toString() || "null") : "allowed";
  for (const path of paths) {
    for (const user of [
      "carl",
      "pat",
      "nobody",
      "system:anonymous",
      "system:serviceaccount:authz:builder",
      "system:node:n1",
    ]) {
      const groups =
        user === "system:anonymous"
          ? ["system:unauthenticated"]
          : user.startsWith("system:node")
            ? ["system:nodes"]
            : [];
      yield one(`${user} GET ${path}`, {
        ...get(path, as(user, ...groups)),
        maxMs: 1000,
        view,
        exceptHeaders: [
          "content-type",
          "etag",
          "location",
          "vary",
          "content-encoding",
          "x-content-type-options",
          "warning",
          "cache-control",
        ],
      });
    }
  }
  const writes = [
    ["POST", `${ns}/pods`],
    ["PUT", `${ns}/pods/x`],
    ["PATCH", `${ns}/pods/x`],
    ["DELETE", `${ns}/pods/x`],
    ["DELETE", `${ns}/pods`],
    ["POST", `${ns}/pods/x/eviction`],
    ["POST", `${ns}/pods/x/exec`],
    ["POST", `${ns}/pods/x/binding`],
    ["PUT", `${ns}/pods/x/status`],
    ["PUT", "/apis/apps/v1/namespaces/authz/deployments/x/scale"],
    ["POST", "/api/v1/namespaces"],
    ["PUT", "/api/v1/namespaces/authz/finalize"],
    ["POST", "/apis/authentication.k8s.io/v1/tokenreviews"],
    ["POST", `${ns}/serviceaccounts/builder/token`],
    ["OPTIONS", `${ns}/pods`],
    ["HEAD", `${ns}/pods`],
    ["TRACE", `${ns}/pods`],
    ["POST", "/version"],
    ["DELETE", "/healthz"],
    ["PUT", "/metrics"],
    ["PATCH", "/nope"],
  ];
  for (const [method, path] of writes) {
    for (const user of ["carl", "will"]) {
      yield one(
        `${user} ${method} ${path}`,
        step(
          method,
          path,
          ["OPTIONS", "HEAD", "TRACE"].includes(method) ? undefined : "{}",
          { "content-type": "application/json", ...as(user) },
          { view: method === "HEAD" ? () => "" : undefined },
        ),
      );
    }
  }
}

function* escalations() {
  const sets = {
    own: [rule(["get"], ["pods"])],
    "own and more": [rule(["get"], ["pods"]), rule(["delete"], ["pods"])],
    secrets: [rule(["get"], ["secrets"])],
    star: [rule(["*"], ["*"], { apiGroups: ["*"] })],
    "a subresource": [rule(["get"], ["pods/log"])],
    "by name": [rule(["get", "list"], ["pods"], { resourceNames: ["a", "b"] })],
    "two resources": [rule(["get", "list", "watch"], ["pods", "services"])],
    "several of everything": [
      rule(["get", "list"], ["pods", "nodes"], { apiGroups: ["", "apps"], resourceNames: ["x", "y"] }),
    ],
    nothing: [],
    "no verbs": [{ apiGroups: [""], resources: ["pods"], verbs: [] }],
    "no resources": [{ apiGroups: [""], verbs: ["get"] }],
    paths: [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
    both: [{ apiGroups: [""], resources: ["pods"], nonResourceURLs: ["/x"], verbs: ["get"] }],
  };
  for (const [name, rules] of Object.entries(sets)) {
    for (const user of ["dora", "eve", "carl"]) {
      const id = `${user}-${name.replaceAll(" ", "-")}`;
      yield one(
        `${user} makes a role of ${name}`,
        post(roles, role(id, ...rules), as(user)),
        step("PUT", `${roles}/${id}`, role(id, ...rules, rule(["list"], ["services"])), as(user)),
        patch("merge", `${roles}/${id}`, { rules }, as(user)),
        patch("json", `${roles}/${id}`, [{ op: "add", path: "/rules", value: rules }], as(user)),
        patch("strategic", `${roles}/${id}`, { metadata: { labels: { a: "b" } } }, as(user)),
        patch(
          "apply",
          `${roles}/${id}-applied?fieldManager=m`,
          { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", ...role(`${id}-applied`, ...rules) },
          as(user),
        ),
        step("DELETE", `${roles}/${id}`, undefined, as(user)),
      );
    }
  }
  for (const user of ["dora", "eve", "carl"]) {
    for (const [kind, name] of [
      ["Role", "reader"],
      ["Role", "delegate"],
      ["Role", "absent"],
      ["ClusterRole", "view"],
      ["ClusterRole", "cluster-admin"],
      ["ClusterRole", "absent"],
      ["Nothing", "x"],
    ]) {
      const id = `${user}-${kind}-${name}`.toLowerCase();
      yield one(
        `${user} binds ${kind} ${name}`,
        post(bindings, binding(id, name, ["zoe"], kind), as(user)),
        step("PUT", `${bindings}/${id}`, binding(id, name, ["zoe", "yan"], kind), as(user)),
        step("PUT", `${bindings}/${id}`, binding(id, "other", ["zoe"], kind), as(user)),
        patch(
          "merge",
          `${bindings}/${id}`,
          {
            subjects: [
              { kind: "Group", name: "g" },
              { kind: "ServiceAccount", name: "s" },
              { kind: "X", name: "" },
            ],
          },
          as(user),
        ),
        patch(
          "apply",
          `${bindings}/${id}?fieldManager=m&force=true`,
          { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", ...binding(id, name, ["zoe"], kind) },
          as(user),
        ),
      );
    }
  }
  const aggregated = {
    metadata: { name: "authz-agg" },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "authz-agg": "true" } }] },
    rules: [],
  };
  yield one(
    "aggregated roles by users",
    post(`${rbac}/clusterroles`, aggregated, as("dora")),
    post(`${rbac}/clusterroles`, aggregated),
    patch("merge", `${rbac}/clusterroles/authz-agg`, { rules: [rule(["get"], ["pods"])] }, as("eve")),
  );
}

function* impersonations() {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const sets = [
    {},
    { "impersonate-user": "carl" },
    { "impersonate-user": "other" },
    { "impersonate-group": "readers" },
    { "impersonate-user": "carl", "impersonate-group": "readers" },
    { "impersonate-user": "carl", "impersonate-group": ["readers", "admins"] },
    { "impersonate-user": "carl", "impersonate-uid": "7" },
    { "impersonate-uid": "7" },
    { "impersonate-user": "carl", "impersonate-extra-scopes": "a" },
    { "impersonate-user": "carl", "impersonate-extra-scopes": ["a", "b"] },
    { "impersonate-user": "carl", "impersonate-extra-other": "a" },
    { "impersonate-user": "carl", "impersonate-extra-acme.com%2Fscopes": "a" },
    { "impersonate-extra-scopes": "a" },
    { "impersonate-user": "" },
    { "impersonate-user": "system:serviceaccount:authz:builder" },
    { "impersonate-user": "system:serviceaccount:authz" },
    { "impersonate-user": "system:anonymous" },
    { "impersonate-user": "system:node:x", "impersonate-group": "system:nodes" },
    { "impersonate-user": "carl", "impersonate-group": "system:authenticated" },
    { "impersonate-user": "carl", "impersonate-group": "system:masters" },
    { "impersonate-user": "carl", "impersonate-group": "" },
    { "impersonate-user": "carl", "impersonate-group": "system:unauthenticated" },
  ];
  for (const headers of sets) {
    const name = JSON.stringify(headers);
    yield one(`administrator as ${name}`, post(path, body, headers));
    yield one(`jane as ${name}`, byToken(post(path, body, headers)));
  }
  for (const token of ["user-token", "wrong", "", "a b", "user-token ", "ümlaut"]) {
    for (const scheme of ["Bearer", "bearer", "Basic", "Token", ""]) {
      yield one(
        `${scheme} ${token}`,
        byToken(post(path, body), { authorization: `${scheme} ${Buffer.from(token).toString("latin1")}` }),
      );
    }
  }
  yield one(
    "no credentials",
    { ...post(path, body), as: "none" },
    { ...get("/api/v1/pods"), as: "none" },
    { ...get("/healthz"), as: "none" },
    { ...get("/version"), as: "none", view: () => "" },
  );
}

function* reviews() {
  const group = "/apis/authorization.k8s.io/v1";
  const specs = [
    {},
    { user: "carl" },
    { user: "carl", resourceAttributes: {} },
    { user: "carl", nonResourceAttributes: {} },
    { resourceAttributes: { verb: "get", resource: "pods" } },
    { user: "carl", resourceAttributes: { namespace: "authz", verb: "get", resource: "pods" } },
    { user: "carl", resourceAttributes: { namespace: "authz", verb: "get", resource: "pods", subresource: "log" } },
    { user: "carl", resourceAttributes: { namespace: "authz", verb: "get", resource: "secrets", name: "named" } },
    { user: "carl", resourceAttributes: { namespace: "authz", verb: "get", resource: "secrets" } },
    { user: "carl", resourceAttributes: { namespace: "other", verb: "get", resource: "pods" } },
    { user: "carl", resourceAttributes: { verb: "*", resource: "*", group: "*" } },
    { groups: ["system:masters"], resourceAttributes: { verb: "x", resource: "y" } },
    {
      user: "system:node:a",
      groups: ["system:nodes"],
      resourceAttributes: { verb: "get", resource: "secrets", namespace: "authz", name: "a" },
    },
    { user: "pat", nonResourceAttributes: { path: "/metrics", verb: "get" } },
    { user: "pat", nonResourceAttributes: { path: "/logs/x/y", verb: "get" } },
    { user: "pat", nonResourceAttributes: { path: "/logs", verb: "post" } },
    { user: "carl", resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/x", verb: "get" } },
    {
      user: "",
      groups: [],
      extra: { a: ["b"] },
      uid: "u",
      resourceAttributes: {
        verb: "get",
        resource: "pods",
        version: "v1",
        group: "apps",
        name: "n",
        namespace: "m",
        subresource: "s",
      },
    },
    { user: "carl", extra: { "A/b": null }, nonResourceAttributes: { path: "/api", verb: "GET" } },
    { user: 7 },
    "x",
    null,
  ];
  for (const spec of specs) {
    const name = JSON.stringify(spec);
    for (const [resource, kind] of [
      ["subjectaccessreviews", "SubjectAccessReview"],
      ["selfsubjectaccessreviews", "SelfSubjectAccessReview"],
    ]) {
      yield one(
        `${kind} ${name}`,
        post(`${group}/${resource}`, { spec }),
        post(`${group}/${resource}`, { spec }, as("carl")),
        post(`${group}/${resource}?dryRun=All`, {
          spec,
          metadata: { name: "n", labels: { a: "b" } },
          status: { allowed: true },
        }),
      );
    }
    yield one(
      `LocalSubjectAccessReview ${name}`,
      post(`${group}/namespaces/authz/localsubjectaccessreviews`, { spec }),
      post(`${group}/namespaces/authz/localsubjectaccessreviews`, { spec, metadata: { namespace: "other" } }),
    );
  }
  const sorted = ({ body }) => {
    const review = JSON.parse(body.toString());
    const sort = (list = []) => list.map((item) => JSON.stringify(item)).sort();
    return {
      ...review,
      metadata: undefined,
      status: review.status?.resourceRules
        ? {
            ...review.status,
            resourceRules: sort(review.status.resourceRules),
            nonResourceRules: sort(review.status.nonResourceRules),
          }
        : review.status,
    };
  };
  for (const user of ["carl", "dora", "pat", "nobody", "system:node:a"]) {
    for (const spec of [{}, { namespace: "authz" }, { namespace: "" }, { namespace: "other" }]) {
      yield one(`SelfSubjectRulesReview of ${user} ${JSON.stringify(spec)}`, {
        ...post(
          `${group}/selfsubjectrulesreviews`,
          { spec },
          as(user, ...(user.startsWith("system:node") ? ["system:nodes"] : [])),
        ),
        view: sorted,
      });
    }
  }
}

function* tokens() {
  const path = `${ns}/serviceaccounts/builder/token`;
  const view = ({ body }) => {
    const answer = JSON.parse(body.toString());
    if (answer.status?.token === undefined) return answer;
    const [head, claims] = answer.status.token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    const { iat, exp, nbf, ...rest } = claims;
    const text = JSON.stringify({
      ...answer,
      metadata: undefined,
      status: "token",
      head: Object.keys(head),
      claims: rest,
      lifetime: exp - iat,
      early: iat - nbf,
    });
    return JSON.parse(text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID"));
  };
  const specs = [
    undefined,
    {},
    { audiences: [] },
    { audiences: ["a", "b"] },
    { audiences: [""] },
    { expirationSeconds: 600 },
    { expirationSeconds: 599 },
    { expirationSeconds: 0 },
    { expirationSeconds: 4294967296 },
    { expirationSeconds: 4294967297 },
    { expirationSeconds: 3607 },
    { expirationSeconds: 31536000 },
    { boundObjectRef: { kind: "Pod", name: "absent" } },
    { boundObjectRef: { kind: "Secret", name: "tied" } },
    { boundObjectRef: { kind: "Secret", name: "tied", uid: "wrong" } },
    { boundObjectRef: { kind: "Node", name: "n" } },
    { boundObjectRef: { kind: "ConfigMap", name: "one", apiVersion: "v1" } },
    { boundObjectRef: { kind: "Pod", name: "p", apiVersion: "apps/v1" } },
    { boundObjectRef: {} },
  ];
  yield one("a Secret to bind to", quiet(post(`${ns}/secrets`, { metadata: { name: "tied" } })));
  for (const spec of specs) {
    yield one(
      `token ${JSON.stringify(spec)}`,
      { ...post(path, { spec }), view },
      { ...post(path, { spec }, as("will")), view },
      { ...post(`${path}?dryRun=All`, { spec, metadata: { name: "builder", namespace: "authz" } }), view },
    );
  }
  for (const metadata of [{ name: "other" }, { namespace: "other" }, { name: "builder" }, { generateName: "x" }])
    yield one(`token with ${JSON.stringify(metadata)}`, { ...post(path, { metadata, spec: {} }), view });
  const use = { "content-type": "application/json" };
  const self = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  for (const spec of [
    {},
    { audiences: ["https://kubernetes.default.svc"] },
    { audiences: ["other"] },
    { boundObjectRef: { kind: "Secret", name: "tied", apiVersion: "v1" } },
  ]) {
    const made = { ...post(path, { spec }), save: { token: "status.token" }, quiet: true };
    const reviewed = (more) => ({
      ...step(
        "POST",
        "/apis/authentication.k8s.io/v1/tokenreviews",
        ({ token }) => JSON.stringify({ spec: { token, ...more } }),
        use,
      ),
      view: withoutToken,
    });
    yield one(
      `token ${JSON.stringify(spec)} in use`,
      made,
      reviewed({}),
      reviewed({ audiences: ["other"] }),
      reviewed({ audiences: ["other", "https://kubernetes.default.svc"] }),
      reviewed({ audiences: [] }),
    );
  }
  for (const token of [undefined, "", "x", "a.b.c", "user-token", "admin-token"])
    yield one(
      `review of ${token}`,
      post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } }),
      post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } }, as("carl")),
    );
  yield one(
    "whoami by token",
    byToken(post(self, {})),
    byToken(get(self)),
    byToken(post(`${self}?dryRun=All`, { metadata: { name: "x" } })),
  );
  for (const body of [
    {
      metadata: { name: "t1", annotations: { "kubernetes.io/service-account.name": "builder" } },
      type: "kubernetes.io/service-account-token",
    },
    {
      metadata: { name: "t2", annotations: { "kubernetes.io/service-account.name": "absent" } },
      type: "kubernetes.io/service-account-token",
    },
    { metadata: { name: "t3" }, type: "kubernetes.io/service-account-token" },
    {
      metadata: { name: "t4", annotations: { "kubernetes.io/service-account.name": "builder" } },
      type: "kubernetes.io/service-account-token",
      data: { token: "YQ==" },
    },
  ])
    yield one(`secret ${body.metadata.name}`, post(`${ns}/secrets`, body));
}

function withoutToken({ body }) {
  const review = JSON.parse(body.toString());
  return {
    ...review,
    spec: { ...review.spec, token: "token" },
    metadata: undefined,
    status: JSON.parse(JSON.stringify(review.status ?? null).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID")),
  };
}

function* certificates() {
  const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const requests = Object.entries(requestPems());
  const uses = {
    client: ["digital signature", "key encipherment", "client auth"],
    server: ["digital signature", "key encipherment", "server auth"],
    none: [],
    odd: ["digital signature", "nothing"],
    twice: ["client auth", "client auth"],
  };
  const signers = [
    "kubernetes.io/kube-apiserver-client",
    "kubernetes.io/kube-apiserver-client-kubelet",
    "kubernetes.io/kubelet-serving",
    "kubernetes.io/legacy-unknown",
    "example.com/own",
    "own",
    "Example.com/X",
    "a.b/c/d",
    "kubernetes.io/unknown",
    "",
  ];
  let n = 0;
  for (const signerName of signers) {
    for (const [what, request] of requests) {
      for (const [use, usages] of Object.entries(what === "plain" ? uses : { client: uses.client })) {
        const name = `authz-${n++}`;
        const body = {
          metadata: { name },
          spec: {
            request,
            signerName,
            usages,
            username: "forged",
            groups: ["forged"],
            uid: "forged",
            extra: { a: ["b"] },
          },
        };
        yield one(
          `${signerName} ${what} ${use}`,
          post(path, body, as("will", "makers", "system:authenticated")),
          post(`${path}?dryRun=All`, body),
        );
      }
    }
  }
  for (const expirationSeconds of [0, 599, 600, 86400, -1, 2147483647])
    yield one(
      `expires in ${expirationSeconds}`,
      post(`${path}?dryRun=All`, {
        metadata: { name: `authz-e${expirationSeconds}`.replace("-1", "m") },
        spec: { request: requests[0]?.[1], signerName: "example.com/own", usages: ["client auth"], expirationSeconds },
      }),
    );
  const condition = (type, more = {}) => ({ type, status: "True", reason: "R", message: "m", ...more });
  const named = (name, conditions, status = {}) => ({
    metadata: { name },
    spec: { request: requests[0]?.[1], signerName: "example.com/own", usages: ["client auth"] },
    status: { conditions, ...status },
  });
  const sets = [
    [condition("Approved")],
    [condition("Denied")],
    [condition("Approved"), condition("Denied")],
    [condition("Failed")],
    [condition("Approved", { status: "False" })],
    [condition("Approved", { status: "Unknown" })],
    [condition("Own")],
    [condition("")],
    [condition("Approved"), condition("Approved")],
    [],
  ];
  for (const [index, conditions] of sets.entries()) {
    const name = `authz-a${index}`;
    yield one(
      `approval ${JSON.stringify(conditions.map(({ type, status }) => `${type} ${status}`))}`,
      quiet(post(path, named(name, []))),
      step("PUT", `${path}/${name}/approval`, named(name, conditions)),
      step("PUT", `${path}/${name}/approval`, named(name, conditions), as("carl")),
      step(
        "PUT",
        `${path}/${name}/status`,
        named(name, conditions, { certificate: Buffer.from("no certificate").toString("base64") }),
      ),
      step("PUT", `${path}/${name}/approval`, named(name, [])),
      patch("merge", `${path}/${name}/approval`, { status: { conditions } }),
      patch("strategic", `${path}/${name}/status`, { status: { conditions: [condition("Failed")] } }),
      patch("merge", `${path}/${name}`, { spec: { usages: ["any"] }, metadata: { labels: { a: "b" } } }),
      get(`${path}/${name}/approval`),
      get(`${path}?fieldSelector=spec.signerName%3Dexample.com%2Fown&limit=1`),
      step("DELETE", `${path}/${name}`),
    );
  }
}

/** Certificate requests made once, with a key that has been thrown away. */
function requestPems() {
  const plain =
    "MIHoMIGOAgEAMCwxFTATBgNVBAoMDHN5c3RlbTpub2RlczETMBEGA1UEAwwKc3lzdGVtOm5vZGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ";
  const pem = (text, label = "CERTIFICATE REQUEST") =>
    Buffer.from(`-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`).toString("base64");
  const made = process.env.CERTIFICATE_REQUEST ?? pem(plain);
  return {
    plain: made,
    broken: pem(plain),
    label: pem(plain, "CERTIFICATE"),
    empty: "",
    text: Buffer.from("hello").toString("base64"),
    odd: "not base64",
    hash: pem(createHash("sha256").update("x").digest("base64")),
  };
}

function* writesByUsers() {
  const pod = (name, more = {}) => ({
    metadata: { name, ...more.metadata },
    spec: { containers: [{ name: "c", image: "i" }], ...more.spec },
  });
  yield one("a service account to run as", quiet(post(`${ns}/serviceaccounts`, { metadata: { name: "default" } })));
  const pods = [
    pod("w1"),
    pod("w2", { spec: { serviceAccountName: "absent" } }),
    pod("w3", { spec: { serviceAccountName: "builder", automountServiceAccountToken: false } }),
    pod("w4", { spec: { priorityClassName: "system-cluster-critical" } }),
    pod("w5", { spec: { priority: 5 } }),
    pod("w6", { spec: { priorityClassName: "absent" } }),
    pod("w7", { spec: { runtimeClassName: "absent" } }),
    pod("w8", { spec: { nodeName: "n", tolerations: [{ operator: "Exists" }] } }),
    pod("w9", {
      metadata: {
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "one", uid: "u", blockOwnerDeletion: true }],
      },
    }),
    pod("w10", { metadata: { finalizers: ["a.b/c"], annotations: { "kubernetes.io/limit-ranger": "x" } } }),
  ];
  for (const body of pods) {
    yield one(
      `will makes ${body.metadata.name}`,
      post(`${ns}/pods`, body, as("will")),
      get(`${ns}/pods/${body.metadata.name}`, as("carl")),
      post(`${ns}/pods/${body.metadata.name}/eviction`, { metadata: { name: body.metadata.name } }, as("will")),
      step("DELETE", `${ns}/pods/${body.metadata.name}`, undefined, as("will")),
    );
  }
  for (const user of ["will", "carl", "nobody"]) {
    const cm = `${ns}/configmaps/by-${user}`;
    yield one(
      `${user} and config maps`,
      step("PUT", cm, { metadata: { name: `by-${user}` } }, as(user)),
      patch(
        "apply",
        `${cm}?fieldManager=m`,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `by-${user}` } },
        as(user),
      ),
      patch(
        "apply",
        `${cm}-new?fieldManager=m`,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `by-${user}-new` } },
        as(user),
      ),
      get(`${ns}/configmaps?limit=1`, as(user)),
      step("DELETE", `${ns}/configmaps?labelSelector=none`, undefined, as(user)),
      {
        ...get(`${ns}/configmaps?watch=1&timeoutSeconds=1&resourceVersion=0`, as(user)),
        view: ({ status, body }) => (status === 200 ? "events" : body.toString()),
      },
      post("/apis/apps/v1/namespaces/authz/deployments", {}, as(user)),
      post("/api/v1/namespaces/absent/configmaps", { metadata: { name: "x" } }, as(user)),
      post("/api/v1/namespaces/absent/configmaps", { metadata: { name: "x" } }),
    );
  }
  const node = (name) => ({ metadata: { name } });
  const kubelet = as("system:node:n1", "system:nodes", "system:authenticated");
  yield one(
    "a kubelet",
    post("/api/v1/nodes", node("n1"), kubelet),
    post("/api/v1/nodes", node("n2"), kubelet),
    patch(
      "strategic",
      "/api/v1/nodes/n1/status",
      { status: { conditions: [{ type: "Ready", status: "True" }] } },
      kubelet,
    ),
    patch("merge", "/api/v1/nodes/n1", { metadata: { labels: { "node-role.kubernetes.io/x": "y" } } }, kubelet),
    patch("merge", "/api/v1/nodes/n1", { metadata: { labels: { "kubernetes.io/hostname": "h" } } }, kubelet),
    patch("merge", "/api/v1/nodes/n1", { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }, kubelet),
    patch("merge", "/api/v1/nodes/n2", {}, kubelet),
    post(
      `${ns}/pods`,
      pod("mirror", { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } }, spec: { nodeName: "n1" } }),
      kubelet,
    ),
    post(`${ns}/pods`, pod("direct", { spec: { nodeName: "n1" } }), kubelet),
    get(`${ns}/secrets/tied`, kubelet),
    get(`${ns}/secrets`, kubelet),
    get(`${ns}/configmaps/one`, kubelet),
    get("/api/v1/pods?fieldSelector=spec.nodeName%3Dn1", kubelet),
    get("/api/v1/pods", { ...kubelet }),
    post(`${ns}/serviceaccounts/builder/token`, { spec: {} }, kubelet),
    post(
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
      { metadata: { name: "n1" }, spec: {} },
      kubelet,
    ),
    post(
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
      { metadata: { name: "n2" }, spec: {} },
      kubelet,
    ),
    post("/apis/storage.k8s.io/v1/csinodes", { metadata: { name: "n2" }, spec: { drivers: [] } }, kubelet),
    step("DELETE", "/api/v1/nodes/n1", undefined, kubelet),
  );
}
