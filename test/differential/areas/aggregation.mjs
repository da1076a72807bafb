// A session with Kubernetes' sample-apiserver behind each of both servers (start-with-sample-apiserver.mjs): discovery,
// every verb in both versions, its own admission, users, encodings, protocols, mistakes, OpenAPI.

const group = "/apis/wardle.example.com";
const root = (version) => `${group}/${version}`;
const namespace = "wardle";
const flunders = (version, in_ = namespace) => `${root(version)}/namespaces/${in_}/flunders`;
const fischers = `${root("v1alpha1")}/fischers`;
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

const jane = { authorization: "Bearer user-token" };
const nobody = { as: "none" };

const get = (path, headers, more) => ({ method: "GET", path, headers, ...more });
const send = (method, path, body, headers, more) => ({ method, path, body, headers, ...more });
const one = (name, ...steps) => ({ name, steps, independent: true });
const flunder = (version, name, spec = {}, meta = {}) => ({
  apiVersion: `wardle.example.com/${version}`,
  kind: "Flunder",
  metadata: { name, ...meta },
  spec,
});
const fischer = (name, disallowedFlunders, meta = {}) => ({
  apiVersion: "wardle.example.com/v1alpha1",
  kind: "Fischer",
  metadata: { name, ...meta },
  ...(disallowedFlunders && { disallowedFlunders }),
});

/** Cases for a runner of differential areas. */
export async function* cases() {
  yield* discovery();
  for (const version of ["v1alpha1", "v1beta1"]) {
    yield* oneFlunder(version);
    yield* many(version);
    yield* mistakes(version);
  }
  yield* patches();
  yield* clusterScope();
  yield* users();
  yield* wire();
  yield* openapi();
}

function* discovery() {
  const paths = [
    "",
    "/",
    "/v1alpha1",
    "/v1alpha1/",
    "/v1beta1",
    "/v9",
    "/v9/",
    "/v9/flunders",
    "/v1alpha1/nope",
    "/nope/x/y",
  ];
  for (const path of paths) {
    for (const [how, headers] of Object.entries({
      plain: {},
      yaml: { accept: "application/yaml" },
      protobuf: { accept: "application/vnd.kubernetes.protobuf" },
      table: { accept: table },
      aggregated: { accept: aggregated },
      unknown: { accept: "text/css" },
    })) {
      yield one(`discovery ${group}${path} ${how}`, get(`${group}${path}`, headers));
    }
    yield one(`discovery ${group}${path} as jane`, get(`${group}${path}`, jane, nobody));
    yield one(`discovery POST ${group}${path}`, send("POST", `${group}${path}`, {}));
  }
  const ofGroup = ({ body }) => {
    const { groups, items } = JSON.parse(body.toString());
    return (groups ?? items).filter(({ name, metadata }) => (name ?? metadata.name) === "wardle.example.com");
  };
  yield one("the group in the list of groups", get("/apis", {}, { view: ofGroup }));
  yield one(
    "the group in aggregated discovery",
    get("/apis", { accept: aggregated }, { view: ofGroup, exceptHeaders: ["etag"] }),
  );
  const order = ({ body }) => JSON.parse(body.toString()).groups.map(({ name }) => name);
  yield one("the order of groups", get("/apis", {}, { view: order }));
  for (const name of ["v1alpha1.wardle.example.com", "v1beta1.wardle.example.com"]) {
    const status = ({ body }) => withoutVersions(JSON.parse(body.toString()).status);
    yield one(
      `the status of ${name}`,
      get(`/apis/apiregistration.k8s.io/v1/apiservices/${name}`, {}, { view: status }),
    );
  }
}

function* oneFlunder(version) {
  const all = flunders(version);
  const at = `${all}/one`;
  yield {
    name: `the life of a flunder in ${version}`,
    steps: [
      send("POST", all, flunder(version, "one", {}, { labels: { a: "b" }, finalizers: ["example.com/held"] })),
      send("POST", all, flunder(version, "one")),
      get(at),
      get(at, { accept: table }),
      get(at, { accept: partial }),
      get(at, { accept: "application/yaml" }),
      get(at, { accept: "application/vnd.kubernetes.protobuf" }),
      get(`${at}/status`),
      get(`${flunders(version === "v1beta1" ? "v1alpha1" : "v1beta1")}/one`),
      send("PUT", at, flunder(version, "one", {}, { labels: { c: "d" }, finalizers: ["example.com/held"] })),
      send("PUT", at, flunder(version, "two")),
      send("PUT", at, flunder(version, "one", {}, { resourceVersion: "1" })),
      send("PUT", `${at}?dryRun=All`, flunder(version, "one", {}, { labels: { dry: "run" } })),
      send("PUT", `${at}?dryRun=Some`, flunder(version, "one")),
      send("DELETE", at, { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "other" } }),
      send("DELETE", `${at}?dryRun=All`),
      send("DELETE", at),
      get(at),
      send("PATCH", at, { metadata: { finalizers: null } }, { "content-type": "application/merge-patch+json" }),
      get(at),
      send("DELETE", at),
    ],
  };
}

function* many(version) {
  const all = flunders(version);
  const labels = (color) => ({ labels: { color, set: version } });
  yield {
    name: `collections in ${version}`,
    steps: [
      ...["a", "b", "c", "d"].map((name, index) =>
        send("POST", all, flunder(version, `${name}-${version}`, {}, labels(index % 2 === 0 ? "red" : "blue"))),
      ),
      get(all),
      get(`${root(version)}/flunders`),
      get(all, { accept: table }),
      get(all, { accept: partial.replace("PartialObjectMetadata", "PartialObjectMetadataList") }),
      get(all, { accept: "application/yaml" }),
      ...[
        "labelSelector=color%3Dred",
        "labelSelector=color%20in%20(blue)",
        "labelSelector=%21color",
        "labelSelector=%3D%3D",
        `fieldSelector=metadata.name%3Da-${version}`,
        `fieldSelector=metadata.namespace%3D${namespace}`,
        "fieldSelector=spec.reference%3Dx",
        "limit=2",
        "limit=2&continue=nonsense",
        "limit=-1",
        "limit=x",
        "resourceVersion=0",
        "resourceVersion=x",
        "resourceVersion=0&resourceVersionMatch=Exact",
        "resourceVersionMatch=NotOlderThan",
        "timeout=5s",
        "timeout=x",
        "pretty=true",
        "watch=1&timeoutSeconds=1&resourceVersion=0",
        "watch=1&timeoutSeconds=1&labelSelector=color%3Dred",
        "watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone",
        "watch=1&resourceVersion=x",
        "watch=true&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true",
      ].map((query) => get(`${all}?${query}`, {}, { view: eventsOrBody })),
      get(`${root(version)}/watch/namespaces/${namespace}/flunders?timeoutSeconds=1`, {}, { view: eventsOrBody }),
      get(`${root(version)}/watch/flunders?timeoutSeconds=1`, {}, { view: eventsOrBody }),
      get(
        `${root(version)}/watch/namespaces/${namespace}/flunders/a-${version}?timeoutSeconds=1`,
        {},
        { view: eventsOrBody },
      ),
      send("DELETE", `${all}?labelSelector=color%3Dred&dryRun=All`),
      send("DELETE", `${all}?labelSelector=color%3Dred`),
      get(all),
      send("DELETE", `${all}?fieldSelector=metadata.name%3Db-${version}`),
      send("DELETE", all, { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" }),
      get(all),
      send("DELETE", `${root(version)}/flunders`),
    ],
  };
}

/** Returns the events of a watch in the order of their text, or any other body. */
function eventsOrBody({ body }) {
  const text = body.toString();
  try {
    return withoutVersions(JSON.parse(text));
  } catch {
    // Not one document.
  }
  try {
    const events = text
      .trim()
      .split("\n")
      .map((line) => withoutVersions(JSON.parse(line)));
    return events.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  } catch {
    return text;
  }
}

/** Returns a value without what two servers never have in common. */
function withoutVersions(value) {
  if (Array.isArray(value)) return value.map(withoutVersions);
  if (value === null || typeof value !== "object") {
    return typeof value === "string" ? value.replace(/\b\d{4}-\d\d-\d\dT[\d:]+Z/g, "NOW") : value;
  }
  const left = Object.entries(value).filter(
    ([key]) => !["resourceVersion", "uid", "continue", "managedFields"].includes(key),
  );
  return Object.fromEntries(left.map(([key, item]) => [key, withoutVersions(item)]));
}

function* mistakes(version) {
  const all = flunders(version);
  const type = (contentType) => ({ "content-type": contentType });
  const bodies = {
    "no body": [undefined],
    "text that is not JSON": ["{", type("application/json")],
    "a list": ["[]", type("application/json")],
    "another kind": [{ ...flunder(version, "x"), kind: "Fischer" }],
    "an unknown kind": [{ ...flunder(version, "x"), kind: "Flounder" }],
    "another group": [{ ...flunder(version, "x"), apiVersion: "v1" }],
    "another version": [{ ...flunder(version, "x"), apiVersion: "wardle.example.com/v7" }],
    "no name": [{ ...flunder(version, "x"), metadata: {} }],
    "a bad name": [flunder(version, "X_")],
    "another namespace": [flunder(version, "x", {}, { namespace: "other" })],
    "a bad label": [flunder(version, "x", {}, { labels: { "a b": "c" } })],
    "a reference type alone": [flunder(version, "x", { referenceType: "Flunder" })],
    "an unknown reference type": [
      flunder(version, "x", { referenceType: "Fish", reference: "a", flunderReference: "a" }),
    ],
    "both references": [
      flunder(version, "x", { flunderReference: "a", fischerReference: "b", referenceType: "Flunder" }),
    ],
    "a member of another type": [flunder(version, "x", { referenceType: 7 })],
    YAML: [`apiVersion: wardle.example.com/${version}\nkind: Flunder\nmetadata: {name: x}\n`, type("application/yaml")],
    "an unknown media type": ["x", type("text/css")],
    "a media type that is none": ["{}", type("nonsense")],
  };
  for (const [what, [body, headers]] of Object.entries(bodies)) {
    yield one(`${version} create with ${what}`, send("POST", `${all}?dryRun=All`, body, headers));
    yield one(`${version} update with ${what}`, send("PUT", `${all}/x`, body, headers));
  }
  for (const validation of ["Strict", "Warn", "Ignore", "Sometimes"]) {
    const body = { ...flunder(version, "x"), unknown: 1, spec: { alsoUnknown: true } };
    yield one(
      `${version} unknown fields, ${validation}`,
      send("POST", `${all}?dryRun=All&fieldValidation=${validation}`, body),
    );
  }
  for (const method of ["GET", "PUT", "PATCH", "DELETE", "POST", "HEAD", "OPTIONS", "TRACE", "REPORT"]) {
    yield one(
      `${version} ${method} of what is absent`,
      send(method, `${all}/absent`, method === "PATCH" ? {} : undefined),
    );
    yield one(`${version} ${method} of a collection`, send(method, `${all}?dryRun=All`, undefined));
    yield one(`${version} ${method} of a subresource`, send(method, `${all}/absent/scale`, undefined));
  }
  yield one(
    `${version} create in a namespace that is not there`,
    send("POST", flunders(version, "nowhere"), flunder(version, "x")),
  );
  yield one(`${version} list in a namespace that is not there`, get(flunders(version, "nowhere")));
}

function* patches() {
  const at = `${flunders("v1alpha1")}/patched`;
  const patch = (type, body, query = "") =>
    send("PATCH", `${at}${query}`, body, { "content-type": `application/${type}` });
  yield {
    name: "patches",
    steps: [
      send("POST", flunders("v1alpha1"), flunder("v1alpha1", "patched", {}, { labels: { a: "b" } })),
      patch("merge-patch+json", { metadata: { labels: { c: "d" } } }),
      patch("strategic-merge-patch+json", { metadata: { labels: { a: null } } }),
      patch("json-patch+json", JSON.stringify([{ op: "add", path: "/metadata/labels/e", value: "f" }])),
      patch("json-patch+json", JSON.stringify([{ op: "test", path: "/metadata/labels/e", value: "g" }])),
      patch("json-patch+json", "{}"),
      patch("merge-patch+json", "[]"),
      patch("merge-patch+json", { spec: { referenceType: "Fish" } }),
      patch("merge-patch+json", { metadata: { name: "other" } }),
      patch("merge-patch+json", {}, "?dryRun=All"),
      patch(
        "apply-patch+yaml",
        JSON.stringify(flunder("v1alpha1", "patched", {}, { labels: { g: "h" } })),
        "?fieldManager=x",
      ),
      patch(
        "apply-patch+yaml",
        JSON.stringify(flunder("v1alpha1", "patched", {}, { labels: { g: "i" } })),
        "?fieldManager=y",
      ),
      patch("apply-patch+yaml", JSON.stringify(flunder("v1alpha1", "patched")), ""),
      patch(
        "apply-patch+yaml",
        JSON.stringify(flunder("v1alpha1", "patched", {}, { labels: { g: "i" } })),
        "?fieldManager=y&force=true",
      ),
      get(at),
      patch("unknown+json", {}),
      send("DELETE", at),
    ],
  };
}

function* clusterScope() {
  yield {
    name: "kinds without namespaces, and the admission of the server behind",
    steps: [
      send("POST", fischers, fischer("ban", ["forbidden"])),
      send("POST", flunders("v1alpha1"), flunder("v1alpha1", "forbidden")),
      send("POST", flunders("v1beta1"), flunder("v1beta1", "forbidden")),
      get(fischers),
      get(`${fischers}/ban`, { accept: table }),
      get(`${root("v1alpha1")}/namespaces/${namespace}/fischers`),
      get(`${root("v1beta1")}/fischers`),
      send("PUT", `${fischers}/ban`, fischer("ban", [])),
      send("POST", `${flunders("v1alpha1")}?dryRun=All`, flunder("v1alpha1", "forbidden")),
      send("DELETE", `${fischers}/ban`),
      send("DELETE", fischers),
    ],
  };
}

function* users() {
  for (const [who, headers] of Object.entries({
    jane,
    "jane, who impersonates": { ...jane, "impersonate-user": "bob" },
    "a wrong token": { authorization: "Bearer wrong" },
    nobody: {},
    "a claim": { "x-remote-user": "kubernetes-admin", "x-remote-group": "system:masters" },
    "jane with a claim": { ...jane, "x-remote-user": "kubernetes-admin", "x-remote-group": "system:masters" },
  })) {
    yield one(`list by ${who}`, get(flunders("v1alpha1"), headers, nobody));
    yield one(
      `create by ${who}`,
      send("POST", `${flunders("v1alpha1")}?dryRun=All`, flunder("v1alpha1", "x"), headers, nobody),
    );
    yield one(`list fischers by ${who}`, get(fischers, headers, nobody));
    yield one(`discovery by ${who}`, get(root("v1alpha1"), headers, nobody));
    yield one(`what is not there by ${who}`, get(`${root("v1alpha1")}/nothing`, headers, nobody));
  }
  for (const [who, headers] of Object.entries({
    bob: { "impersonate-user": "bob" },
    jane: { "impersonate-user": "jane" },
    "a master": { "impersonate-user": "eve", "impersonate-group": "system:masters" },
    "a service account": { "impersonate-user": "system:serviceaccount:wardle:default" },
    "jane with extras": { "impersonate-user": "jane", "impersonate-extra-example.com%2fteam": "a" },
    "a group alone": { "impersonate-group": "developers" },
  })) {
    yield one(`list as ${who}`, get(flunders("v1alpha1"), headers));
    yield one(
      `create as ${who}`,
      send("POST", `${flunders("v1alpha1")}?dryRun=All`, flunder("v1alpha1", "x"), headers),
    );
  }
}

function* wire() {
  const path = flunders("v1alpha1");
  for (const via of [undefined, "http2"]) {
    const how = via ?? "http1";
    for (const encoding of ["gzip", "identity", "br", "*", ""]) {
      yield one(`${how} encoding '${encoding}'`, get(path, { "accept-encoding": encoding }, { via }));
    }
    for (const [what, headers] of Object.entries({
      origin: { origin: "https://elsewhere.example" },
      "an audit id": { "audit-id": "11111111-1111-1111-1111-111111111111" },
      "if-none-match": { "if-none-match": "*" },
      range: { range: "bytes=0-3" },
      "an expectation of another kind": { accept: "image/png" },
      "a table of another version": { accept: "application/json;as=Table;v=v9;g=meta.k8s.io, application/json" },
    })) {
      yield one(`${how} with ${what}`, get(path, headers, { via }));
    }
  }
  for (const spelling of [
    "/apis/wardle%2Eexample.com/v1alpha1/flunders",
    `/${path}`,
    `${path}/`,
    `${path}//x`,
    `${group}/v1alpha1/namespaces/${namespace}%2Fflunders`,
  ]) {
    yield one(`the path ${spelling}`, get(spelling));
  }
}

function* openapi() {
  const own = ({ body }) => {
    const { paths, definitions } = JSON.parse(body.toString());
    const ofGroup = (all) =>
      Object.fromEntries(
        Object.entries(all)
          .filter(([name]) => /wardle/.test(name))
          .sort(),
      );
    return { paths: Object.keys(ofGroup(paths)), definitions: ofGroup(definitions) };
  };
  const names = ({ body }) =>
    Object.keys(JSON.parse(body.toString()).definitions).filter((name) => /_v\d+$/.test(name));
  const quiet = { exceptHeaders: ["etag"] };
  yield one("OpenAPI v2 of the group", get("/openapi/v2", {}, { ...quiet, view: own }));
  yield one("renamed definitions of OpenAPI v2", get("/openapi/v2", {}, { ...quiet, view: names }));
  const ids = ({ body }) =>
    Object.fromEntries(Object.entries(JSON.parse(body.toString()).paths).filter(([id]) => /wardle/.test(id)));
  yield one("OpenAPI v3: the list of documents", get("/openapi/v3", {}, { view: ids }));
  for (const id of [
    "apis/wardle.example.com",
    "apis/wardle.example.com/v1alpha1",
    "apis/wardle.example.com/v1beta1",
    "apis/wardle.example.com/v9",
  ]) {
    for (const [who, headers] of Object.entries({ admin: {}, jane, nobody: {} })) {
      yield one(`OpenAPI v3 ${id} by ${who}`, get(`/openapi/v3/${id}`, headers, who === "admin" ? {} : nobody));
    }
    yield one(`OpenAPI v3 ${id} with a wrong hash`, get(`/openapi/v3/${id}?hash=0`));
    yield one(
      `OpenAPI v3 ${id} as protobuf`,
      get(`/openapi/v3/${id}`, { accept: "application/com.github.proto-openapi.spec.v3@v1.0+protobuf" }),
    );
  }
}
