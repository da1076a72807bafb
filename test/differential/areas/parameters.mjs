// Query parameters, good and bad, of every verb; what is sent in which type; what is patched how: for kinds of several sorts.
import { namespace, sampleObjects, setUp } from "../lib/sample-objects.mjs";

export const parallel = 4;

const kinds = [
  "configmaps",
  "deployments",
  "nodes",
  "services",
  "leases",
  "validatingwebhookconfigurations",
  "poddisruptionbudgets",
];
const chosen = sampleObjects.filter(({ plural }) => kinds.includes(plural));
const merge = { "content-type": "application/merge-patch+json" };
const json = { "content-type": "application/json" };
const mine = "labelSelector=sample%3Dyes";

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  await Promise.all(sides.map(setUp));
  for (const sample of chosen) {
    for (const generate of [reads, writes, deletes, bodies, patches, paths]) {
      for (const { name, steps } of generate(sample)) {
        yield { name: `${sample.plural} ${name}`, steps, independent: true };
      }
    }
  }
}

const get = (path, more) => ({ method: "GET", path, ...more });
const one = (name, ...steps) => ({ name, steps });

const flags = ["", "0", "1", "t", "T", "TRUE", "true", "False", "f", "yes", "maybe", "2", "-1", "%20true"];
const numbers = [
  "",
  "0",
  "1",
  "-1",
  "abc",
  "1.5",
  "9223372036854775807",
  "9223372036854775808",
  "0x10",
  "1e3",
  "%2B1",
  "01",
  " 1",
];

function* reads({ collection, path }) {
  for (const text of [
    ...flags.map((value) => `allowWatchBookmarks=${value}`),
    ...flags.map((value) => `sendInitialEvents=${value}`),
    ...numbers.map((value) => `timeoutSeconds=${encodeURIComponent(value)}`),
    ...numbers.map((value) => `limit=${encodeURIComponent(value)}`),
    ...["", "0", "-0", "+1", "00", "1.0", "0x1", "9223372036854775808", "18446744073709551616", " "].map(
      (value) => `resourceVersionMatch=NotOlderThan&resourceVersion=${encodeURIComponent(value)}`,
    ),
    ...["", "exact", "Exact", "NotOlderThan", "notolderthan", "Exact,NotOlderThan"].map(
      (value) => `resourceVersion=0&resourceVersionMatch=${value}`,
    ),
    "labelSelector=a%3Db&labelSelector=sample%3Dyes",
    "fieldSelector=metadata.name%3Dx&fieldSelector=metadata.namespace%3Dy",
    "pretty=maybe",
    "timeout=",
    "timeout=1",
    "timeout=1h",
    "timeout=0s",
    "timeout=-5s",
    "timeout=5",
    "export=true",
    "exact=true",
    "kind=x&apiVersion=y",
    "gracePeriodSeconds=x",
    "dryRun=All",
    "fieldManager=x",
    "sample",
    "%6Cimit=1",
    "LIMIT=1",
    "limit=1;continue=x",
    "&&limit=1&",
    "continue=&limit=1",
  ]) {
    const watched = /watch/.test(text);
    yield one(
      `list ?${text}`,
      get(`${collection}?${text.includes("labelSelector") ? "" : `${mine}&`}${text}`, {
        maxMs: watched ? 1500 : undefined,
      }),
    );
  }
  for (const text of flags) {
    yield one(
      `watch=${text}`,
      get(`${collection}?${mine}&timeoutSeconds=1&resourceVersion=0&watch=${text}`, { maxMs: 2500 }),
    );
    yield one(
      `includeObject of watch=${text}`,
      get(`${path}?watch=${text}&timeoutSeconds=1&resourceVersion=0`, { maxMs: 2500 }),
    );
  }
  for (const text of [
    "",
    "pretty=true",
    "pretty=false",
    "resourceVersion=",
    "resourceVersion=0",
    "resourceVersion=1",
    "resourceVersion=x",
    "resourceVersionMatch=Exact",
    "watch=true&fieldSelector=metadata.name%3Dx",
    "limit=x",
    "timeoutSeconds=x",
    "labelSelector=,",
    "fieldSelector=x",
  ]) {
    for (const at of [path, `${path}/status`, `${path}/scale`, `${collection}/absent`]) {
      yield one(
        `get ${at.split("/").at(-1)} ?${text}`,
        get(`${at}?${text}${text.includes("watch") ? "&timeoutSeconds=1&resourceVersion=0" : ""}`, {
          maxMs: 2500,
          view: text.startsWith("pretty") ? lines : undefined,
        }),
      );
    }
  }
  const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
  for (const value of ["", "None", "Metadata", "Object", "none", "x"]) {
    yield one(`Table includeObject=${value}`, get(`${collection}?${mine}&includeObject=${value}`, { headers: table }));
    yield one(`Table of one includeObject=${value}`, get(`${path}?includeObject=${value}`, { headers: table }));
    yield one(
      `Table of absent includeObject=${value}`,
      get(`${collection}/absent?includeObject=${value}`, { headers: table }),
    );
    yield one(
      `Table of watch includeObject=${value}`,
      get(`${collection}?watch=1&timeoutSeconds=1&resourceVersion=0&${mine}&includeObject=${value}`, {
        headers: table,
        maxMs: 2500,
      }),
    );
    yield one(`Table of patch includeObject=${value}`, {
      method: "PATCH",
      path: `${path}?dryRun=All&includeObject=${value}`,
      body: '{"metadata":{"labels":{"b":"c"}}}',
      headers: { ...table, ...merge },
    });
    yield one(`Table of bad create includeObject=${value}`, {
      method: "POST",
      path: `${collection}?dryRun=All&includeObject=${value}`,
      body: '{"metadata":{"name":"A_"}}',
      headers: { ...table, ...json },
    });
  }
}

const lines = ({ status, body }) => [status, body.toString().split("\n").slice(0, 3)];

const options = [
  ...["All", "", "all", "All,All", "x"].map((value) => `dryRun=${value}`),
  "dryRun=All&dryRun=All",
  ...["", "Ignore", "Warn", "Strict", "strict", "x"].map((value) => `dryRun=All&fieldValidation=${value}`),
  "dryRun=All&fieldValidation=Strict&fieldValidation=Ignore",
  ...["", "me", "x".repeat(128), "x".repeat(129), "a%0Ab", "%F0%9F%98%80", "a%00b"].map(
    (value) => `dryRun=All&fieldManager=${value}`,
  ),
  "dryRun=All&force=true",
  "dryRun=All&force=",
  "dryRun=All&force=x",
  "dryRun=All&pretty=true",
  "dryRun=All&pretty=x",
  "dryRun=All&limit=x",
  "dryRun=All&timeout=x",
  "dryRun=All&unknown=1",
  "dryRun=x&fieldValidation=y&fieldManager=%00",
];

function* writes({ collection, path, object }) {
  const other = { ...object, metadata: { ...object.metadata, name: "another" } };
  const odd = { ...other, nonsense: 1, metadata: { ...other.metadata, nonsense: { a: 1 } } };
  for (const text of options.filter((option) => option.startsWith("dryRun=") && option !== "dryRun=")) {
    const view = text.includes("pretty") ? lines : undefined;
    yield one(`create ?${text}`, {
      method: "POST",
      path: `${collection}?${text}`,
      body: JSON.stringify(odd),
      headers: json,
      view,
    });
    yield one(`update ?${text}`, {
      method: "PUT",
      path: `${path}?${text}`,
      body: JSON.stringify({ ...object, nonsense: 1 }),
      headers: json,
      view,
    });
    yield one(`patch ?${text}`, {
      method: "PATCH",
      path: `${path}?${text}`,
      body: '{"nonsense":1,"metadata":{"labels":{"x":"y"}}}',
      headers: merge,
      view,
    });
    yield one(`json patch ?${text}`, {
      method: "PATCH",
      path: `${path}?${text}`,
      body: '[{"op":"add","path":"/nonsense","value":1}]',
      headers: { "content-type": "application/json-patch+json" },
      view,
    });
    yield one(`strategic patch ?${text}`, {
      method: "PATCH",
      path: `${path}?${text}`,
      body: '{"nonsense":1}',
      headers: { "content-type": "application/strategic-merge-patch+json" },
      view,
    });
    yield one(`apply ?${text}`, {
      method: "PATCH",
      path: `${path}?${text}`,
      body: JSON.stringify({
        apiVersion: object.apiVersion,
        kind: object.kind,
        metadata: { name: object.metadata.name },
        nonsense: 1,
      }),
      headers: { "content-type": "application/apply-patch+yaml" },
      view,
    });
    yield one(`status update ?${text}`, {
      method: "PUT",
      path: `${path}/status?${text}`,
      body: JSON.stringify({ ...object, nonsense: 1 }),
      headers: json,
      view,
    });
    yield one(`scale patch ?${text}`, {
      method: "PATCH",
      path: `${path}/scale?${text}`,
      body: '{"spec":{"replicas":2},"nonsense":1}',
      headers: merge,
      view,
    });
  }
}

function* deletes({ collection, path }) {
  const queries = [
    ...numbers.map((value) => `gracePeriodSeconds=${encodeURIComponent(value)}`),
    ...["", "Orphan", "Background", "Foreground", "orphan", "x"].map((value) => `propagationPolicy=${value}`),
    ...flags.map((value) => `orphanDependents=${value}`),
    "orphanDependents=true&propagationPolicy=Orphan",
    "dryRun=x",
    "dryRun=All&dryRun=All",
    "preconditions.uid=x",
    "uid=x",
    "limit=x",
    "fieldSelector=x",
    "labelSelector=,",
    "unknown=1",
    "pretty=x",
  ];
  for (const text of queries) {
    const query = text.startsWith("dryRun") ? text : `dryRun=All&${text}`;
    yield one(`delete ?${text}`, { method: "DELETE", path: `${path}?${query}` });
    yield one(`deletecollection ?${text}`, {
      method: "DELETE",
      path: `${collection}?${text.includes("labelSelector") ? "" : `${mine}&`}${query}`,
    });
  }
  const bodiesOfDelete = [
    {},
    { dryRun: [] },
    { dryRun: ["x"] },
    { dryRun: "All" },
    { gracePeriodSeconds: "1" },
    { gracePeriodSeconds: 1.5 },
    { gracePeriodSeconds: -1 },
    { gracePeriodSeconds: null },
    { propagationPolicy: "x" },
    { propagationPolicy: "" },
    { orphanDependents: "x" },
    { orphanDependents: true, propagationPolicy: "Background" },
    { preconditions: {} },
    { preconditions: { uid: "x" } },
    { preconditions: { resourceVersion: "x" } },
    { preconditions: "x" },
    { preconditions: null },
    { kind: "DeleteOptions" },
    { kind: "DeleteOptions", apiVersion: "v1" },
    { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" },
    { kind: "DeleteOptions", apiVersion: "apps/v1" },
    { kind: "DeleteOptions", apiVersion: "x/v1" },
    { kind: "Status", apiVersion: "v1" },
    { kind: "ConfigMap", apiVersion: "v1" },
    { apiVersion: "v1" },
    { unknown: 1 },
    [],
    "x",
    null,
  ];
  for (const body of bodiesOfDelete) {
    const sent = JSON.stringify(
      body !== null && typeof body === "object" && !Array.isArray(body) && body.dryRun === undefined
        ? { dryRun: ["All"], ...body }
        : body,
    );
    const isSafe = sent.includes('"All"');
    // What is no dry run is sent to what is not there.
    const target = isSafe ? path : `${collection}/absent`;
    for (const type of ["application/json", "application/yaml", "text/plain", ""]) {
      yield one(`delete with ${type} ${JSON.stringify(body)}`, {
        method: "DELETE",
        path: `${target}?gracePeriodSeconds=x`,
        body: sent,
        headers: type === "" ? {} : { "content-type": type },
      });
    }
    if (isSafe)
      yield one(`deletecollection with ${JSON.stringify(body)}`, {
        method: "DELETE",
        path: `${collection}?${mine}`,
        body: sent,
        headers: json,
      });
  }
}

function* bodies({ collection, path, object }) {
  const sent = JSON.stringify({ ...object, metadata: { ...object.metadata, name: "another" } });
  for (const type of [
    "",
    "application/json",
    "application/yaml",
    "application/json;charset=utf-8",
    "application/json; q=1",
    "APPLICATION/YAML",
    "text/yaml",
    "application/x-yaml",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;stream=watch",
    "application/cbor",
    "application/*",
    "*/*",
    "json",
    ";",
    "application/json,application/yaml",
    "application/merge-patch+json",
    "application/apply-patch+yaml",
    "application/apply-patch+cbor",
    "application/strategic-merge-patch+json",
    "application/json-patch+json",
  ]) {
    const headers = type === "" ? {} : { "content-type": type };
    yield one(`create as ${type}`, { method: "POST", path: `${collection}?dryRun=All`, body: sent, headers });
    yield one(`update as ${type}`, {
      method: "PUT",
      path: `${path}?dryRun=All`,
      body: JSON.stringify(object),
      headers,
    });
    yield one(`patch as ${type}`, {
      method: "PATCH",
      path: `${path}?dryRun=All`,
      body: '{"metadata":{"labels":{"c":"d"}}}',
      headers,
    });
    yield one(`patch of scale as ${type}`, {
      method: "PATCH",
      path: `${path}/scale?dryRun=All`,
      body: '{"metadata":{"labels":{"c":"d"}}}',
      headers,
    });
    yield one(`patch of status as ${type}`, {
      method: "PATCH",
      path: `${path}/status?dryRun=All`,
      body: '{"metadata":{"labels":{"c":"d"}}}',
      headers,
    });
  }
  for (const text of [
    "",
    "null",
    "[]",
    "{}",
    "1",
    '"x"',
    "{",
    '{"kind":"X"}',
    '{"apiVersion":"v9"}',
    '{"kind":"Status","apiVersion":"v1"}',
    `{"kind":"${object.kind}","apiVersion":"${object.apiVersion}"}`,
    `{"kind":"${object.kind}List","apiVersion":"${object.apiVersion}","items":[]}`,
    `{"kind":"${object.kind}","apiVersion":"v7"}`,
    '{"metadata":null}',
    '{"metadata":[]}',
    '{"metadata":{"name":5}}',
    '{"metadata":{"name":"x","labels":[]}}',
    '{"metadata":{"name":"x"},"spec":[]}',
    '{"metadata":{"name":"x"},"spec":"x"}',
    '{"metadata":{"name":"x"},"spec":null,"status":null}',
    '{"metadata":{"name":"x"},"Spec":{}}',
    '{"METADATA":{"name":"x"}}',
    '{"metadata":{"name":"x","Name":"y"}}',
    '{"metadata":{"name":"x"},"metadata":{"name":"y"}}',
    "a: b: c",
    "- a\n- b",
    "{a: [}",
  ]) {
    for (const type of ["application/json", "application/yaml"]) {
      const headers = { "content-type": type };
      yield one(`create ${type} ${text}`, { method: "POST", path: `${collection}?dryRun=All`, body: text, headers });
      yield one(`update ${type} ${text}`, { method: "PUT", path: `${path}?dryRun=All`, body: text, headers });
      yield one(`status ${type} ${text}`, { method: "PUT", path: `${path}/status?dryRun=All`, body: text, headers });
      yield one(`scale ${type} ${text}`, { method: "PUT", path: `${path}/scale?dryRun=All`, body: text, headers });
      yield one(`strict ${type} ${text}`, {
        method: "POST",
        path: `${collection}?dryRun=All&fieldValidation=Strict`,
        body: text,
        headers,
      });
    }
  }
}

function* patches({ path, object }) {
  const types = {
    json: "application/json-patch+json",
    merge: "application/merge-patch+json",
    strategic: "application/strategic-merge-patch+json",
    apply: "application/apply-patch+yaml",
  };
  const typed = { apiVersion: object.apiVersion, kind: object.kind, metadata: { name: object.metadata.name } };
  const objects = [
    {},
    { metadata: null },
    { metadata: {} },
    { metadata: { name: "other" } },
    { metadata: { name: null } },
    { metadata: { namespace: "x" } },
    { metadata: { uid: "x" } },
    { metadata: { uid: null } },
    { metadata: { resourceVersion: "1" } },
    { metadata: { resourceVersion: "" } },
    { metadata: { resourceVersion: null } },
    { metadata: { creationTimestamp: null } },
    { metadata: { generation: 9 } },
    { metadata: { labels: null } },
    { metadata: { labels: { a: null } } },
    { metadata: { labels: { a: 1 } } },
    { metadata: { labels: [] } },
    { metadata: { annotations: { a: "b" } } },
    { metadata: { finalizers: ["a/b"] } },
    { metadata: { finalizers: [] } },
    { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "X", name: "n", uid: "u" }] } },
    { metadata: { managedFields: [] } },
    { metadata: { managedFields: [{}] } },
    { kind: "Other" },
    { kind: null },
    { apiVersion: "x" },
    { apiVersion: null },
    { spec: null },
    { spec: {} },
    { spec: [] },
    { spec: "x" },
    { spec: { nonsense: 1 } },
    { status: null },
    { status: { nonsense: 1 } },
    { status: [] },
    { $patch: "replace" },
    { $patch: "delete" },
    { $patch: "x" },
    { metadata: { $patch: "replace", name: object.metadata.name } },
    { metadata: { labels: { $patch: "replace", z: "y" } } },
    { metadata: { labels: { $patch: "delete" } } },
    { metadata: { $retainKeys: ["name"], name: object.metadata.name } },
    { metadata: { "$deleteFromPrimitiveList/finalizers": ["a/b"] } },
    { metadata: { "$setElementOrder/finalizers": ["a/b"] } },
    { metadata: { finalizers: "x" } },
    [],
    "x",
    5,
    null,
  ];
  for (const body of objects) {
    for (const type of ["merge", "strategic", "apply"]) {
      const isObject = body !== null && typeof body === "object" && !Array.isArray(body);
      const sent =
        type === "apply" && isObject
          ? {
              ...typed,
              ...body,
              metadata:
                body.metadata && typeof body.metadata === "object"
                  ? { ...typed.metadata, ...body.metadata }
                  : "metadata" in body
                    ? body.metadata
                    : typed.metadata,
            }
          : body;
      for (const at of ["", "/status", "/scale"]) {
        yield one(`${type} patch${at} ${JSON.stringify(body)}`, {
          method: "PATCH",
          path: `${path}${at}?dryRun=All${type === "apply" ? "&fieldManager=m" : ""}`,
          body: JSON.stringify(sent),
          headers: { "content-type": types[type] },
        });
      }
    }
  }
  const operations = [
    [],
    [{}],
    [{ op: "x" }],
    [{ op: "add" }],
    [{ op: "add", path: "" }],
    [{ op: "add", path: "/x" }],
    [{ op: "add", path: "x", value: 1 }],
    [{ op: "add", path: "/metadata/labels/a~1b", value: "c" }],
    [{ op: "add", path: "/metadata/labels/a~2b", value: "c" }],
    [{ op: "add", path: "/metadata/finalizers/-", value: "a/b" }],
    [{ op: "add", path: "/metadata/finalizers/0", value: "a/b" }],
    [{ op: "add", path: "/a/b/c", value: 1 }],
    [{ op: "remove", path: "/metadata/labels" }],
    [{ op: "remove", path: "/absent" }],
    [{ op: "remove", path: "" }],
    [{ op: "replace", path: "/metadata/labels/sample", value: "no" }],
    [{ op: "replace", path: "/absent", value: 1 }],
    [{ op: "replace", path: "", value: typed }],
    [{ op: "replace", path: "", value: 5 }],
    [{ op: "test", path: "/kind", value: object.kind }],
    [{ op: "test", path: "/kind", value: "x" }],
    [{ op: "test", path: "/absent", value: null }],
    [{ op: "test", path: "/absent", value: 1 }],
    [{ op: "copy", from: "/metadata/labels/sample", path: "/metadata/labels/copied" }],
    [{ op: "copy", from: "/absent", path: "/metadata/labels/copied" }],
    [{ op: "copy", path: "/x" }],
    [{ op: "move", from: "/metadata/labels/sample", path: "/metadata/labels/moved" }],
    [{ op: "move", from: "/metadata", path: "/metadata/labels" }],
    [{ op: "add", path: "/metadata/name", value: "other" }],
    [{ op: "add", path: "/metadata/labels", value: null }],
    [{ op: "add", path: "/metadata/labels", value: 5 }],
    {},
    "x",
    5,
    null,
    [5],
    ["x"],
    [null],
    [[]],
  ];
  for (const body of operations) {
    for (const at of ["", "/status", "/scale"]) {
      yield one(`json patch${at} ${JSON.stringify(body)}`, {
        method: "PATCH",
        path: `${path}${at}?dryRun=All`,
        body: JSON.stringify(body),
        headers: { "content-type": types.json },
      });
    }
  }
}

function* paths({ plural, collection, path, object }) {
  const base = collection.slice(
    0,
    collection.indexOf(`/namespaces/${namespace}`) < 0 ? undefined : collection.indexOf(`/namespaces/${namespace}`),
  );
  const sent = JSON.stringify(object);
  for (const at of [
    path,
    collection,
    `${path}/status`,
    `${path}/scale`,
    `${path}/nope`,
    `${path}/status/x`,
    `${collection}/`,
    `${path}/`,
    `${base}/${plural}`,
    `${base}/namespaces/${namespace}/${plural}`,
    `${base}/namespaces/absent/${plural}`,
    `${base}/${plural}/sample-${plural}`,
    `${base}/watch/${plural}?timeoutSeconds=1`,
    `${collection}/absent/status`,
    `${collection}/absent/scale`,
    `${collection}/A_b`,
    `${collection}/${"x".repeat(260)}`,
    `${collection}/a%20b`,
    `${collection}/%2E%2E`,
  ]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "LIST"]) {
      const carries = ["POST", "PUT", "PATCH"].includes(method);
      yield one(
        `${method} ${at
          .replace(/x{20,}/, "xx")
          .replace(path, "OBJECT")
          .replace(collection, "COLLECTION")}`,
        {
          method,
          path: `${at}${at.includes("?") ? "&" : "?"}dryRun=All&${at.endsWith(plural) ? mine : ""}`,
          maxMs: 2500,
          ...(carries ? { body: method === "PATCH" ? "{}" : sent, headers: method === "PATCH" ? merge : json } : {}),
        },
      );
    }
  }
}
