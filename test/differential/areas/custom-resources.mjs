// Objects of custom kinds: every construct of a schema met by every sort of value, on create, update, patches, /status and
// /scale; strictness; defaults; lists, tables and watches; versions without conversion.
import { constructs, definitions, group, texts, values } from "../lib/custom-definitions.mjs";

export const namespace = process.env.CUSTOM_NAMESPACE ?? "custom-differential";

const base = `/apis/${group}/v1`;
const inNamespace = (plural, version = "v1") => `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
const things = inNamespace("things");
const parts = inNamespace("parts");
const merge = { "content-type": "application/merge-patch+json" };
const jsonPatch = { "content-type": "application/json-patch+json" };
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

const quiet = (step) => ({ ...step, quiet: true });
const get = (path, more) => ({ method: "GET", path, view, ...more });
const send =
  (method) =>
  (path, body, more = {}) => ({
    method,
    path,
    body,
    view,
    ...more,
    headers: { "content-type": "application/json", ...more.headers },
  });
const [post, put, patch, del] = ["POST", "PUT", "PATCH", "DELETE"].map(send);
const one = (name, ...steps) => ({ name, steps });
const text = (kind, name, rest, version = "v1") =>
  `{"apiVersion":"${group}/${version}","kind":"${kind}","metadata":{"name":"${name}"}${rest}}`;
const thing = (name, spec) => text("Thing", name, `,"spec":${spec}`);

/**
 * Returns the comparable part of an answer: uids, times and versions made equal, causes sorted, since Go walks maps in
 * no order.
 */
export function view({ body, headers }) {
  const raw = body.toString();
  if (!/json/.test(headers["content-type"] ?? "json")) return same(raw);
  return raw.trim().split("\n").length > 1 && raw.startsWith('{"type"')
    ? raw
        .trim()
        .split("\n")
        .map((line) => comparable(JSON.parse(same(line))))
        .sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1))
    : comparable(JSON.parse(same(raw)));
}

/** The initial state comes in no particular order. */
function nameIn({ object }) {
  return object?.metadata?.name ?? object?.rows?.[0]?.cells[0] ?? "";
}

function same(raw) {
  return raw
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?=\\?")/g, (time) => (time < "2020" ? time : "TIME"))
    .replace(/(resourceVersion\\*"?:\s*\\*")\d+/g, "$1RV")
    .replace(/"continue":"[^"]+"/g, '"continue":"TOKEN"');
}

function comparable(object) {
  if (object?.kind === "Status" && object.details?.causes !== undefined) {
    const causes = object.details.causes.map((cause) => JSON.stringify(cause)).sort();
    return {
      ...object,
      message: causes.length > 1 ? object.message.split(":")[0] : object.message,
      details: { ...object.details, causes },
    };
  }
  if (object?.kind === "Table") {
    const columnDefinitions = object.columnDefinitions?.map(({ description: _, ...column }) => column);
    return {
      ...object,
      columnDefinitions,
      rows: object.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell) => (/^\d+[smh]/.test(cell) ? "AGE" : cell)),
      })),
    };
  }
  return object?.object === undefined || object.type === undefined
    ? object
    : { ...object, object: comparable(object.object) };
}

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  yield one(
    "set up",
    quiet(post("/api/v1/namespaces", { metadata: { name: namespace } })),
    ...definitions.map((definition) =>
      quiet(post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)),
    ),
  );
  await established(sides);
  for (const generate of [
    creates,
    formatTexts,
    updates,
    strictness,
    defaults,
    metadata,
    statusAndScale,
    patches,
    reads,
    versions,
    deletes,
  ])
    yield* generate();
}

async function established(sides) {
  for (const side of sides) {
    for (const { spec } of definitions) {
      for (const { name } of spec.versions) {
        for (let i = 0; i < 100; i++) {
          const { status } = await side.request({ method: "GET", path: `/apis/${group}/${name}/${spec.names.plural}` });
          if (status === 200) break;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    }
  }
}

/** Every value on every construct. Dry runs: nothing is left behind. */
function* creates() {
  for (const name of Object.keys(constructs).filter(
    (key) => !key.startsWith("format-") || key === "format-date" || key === "format-date-number",
  )) {
    for (const value of values)
      yield one(`create ${name} = ${value}`, post(`${things}?dryRun=All`, thing("t", `{"${name}":${value}}`)));
  }
}

function* formatTexts() {
  for (const name of Object.keys(constructs).filter(
    (key) => key.startsWith("format-") && key !== "format-date-number",
  )) {
    for (const value of texts)
      yield one(
        `create ${name} = ${value}`,
        post(`${things}?dryRun=All`, thing("t", `{"${name}":${JSON.stringify(value)}}`)),
      );
  }
}

/** Yields creates, replacements and patches with other values. */
function* updates() {
  let i = 0;
  for (const name of [
    "anything",
    "text",
    "textsSet",
    "keyed",
    "structKept",
    "mapFree",
    "mapStructs",
    "embedded",
    "nested",
    "structNullable",
    "either",
    "nullables",
  ]) {
    for (const [index, value] of values.entries()) {
      if (index % 3 !== i++ % 3) continue;
      const id = `u-${name.toLowerCase()}-${index}`;
      yield one(
        `update ${name} to ${value}`,
        quiet(post(things, thing(id, '{"text":"a"}'))),
        patch(`${things}/${id}`, `{"spec":{"${name}":${value}}}`, { headers: merge }),
        patch(`${things}/${id}`, `[{"op":"add","path":"/spec/${name}","value":${value}}]`, { headers: jsonPatch }),
        get(`${things}/${id}`),
        quiet(del(`${things}/${id}`)),
      );
    }
  }
}

function* strictness() {
  const bodies = {
    unknown:
      '{"text":"a","nope":1,"struct":{"x":1,"c":{"y":2}},"structs":[{"z":1}],"map":{"k":"v"},"mapStructs":{"k":{"w":1}}}',
    duplicate: '{"text":"a","text":"b","struct":{"a":"1","a":"2"}}',
    kept: '{"structKept":{"z":{"y":1},"b":{"x":1}},"anything":{"a":1,"a":2}}',
    embedded:
      '{"embedded":{"apiVersion":"v1","kind":"X","metadata":{"name":"a","foo":1},"bar":2},"embeddedTyped":{"apiVersion":"v1","kind":"X","foo":1,"metadata":{"bar":1,"labels":{"a":"b"}},"spec":{"z":1}}}',
    free: '{"mapFree":{"a":{"b":1},"c":[{"d":1}],"e":2}}',
    nulls: '{"text":null,"nope":null,"struct":null,"textNullable":null,"texts":[null],"map":{"a":null}}',
  };
  for (const [name, spec] of Object.entries(bodies)) {
    for (const validation of ["Strict", "Warn", "Ignore", ""]) {
      const query = `fieldValidation=${validation}&dryRun=All`;
      const id = `s-${name}-${validation.toLowerCase()}`;
      const more = { allHeaders: false };
      yield one(`strictness of create, ${name}, ${validation}`, post(`${things}?${query}`, thing(id, spec), more));
      yield one(
        `strictness of YAML, ${name}, ${validation}`,
        post(`${things}?${query}`, thing(id, spec), { headers: { "content-type": "application/yaml" } }),
      );
      yield one(
        `strictness of changes, ${name}, ${validation}`,
        quiet(post(things, thing(id, "{}"), { save: { rv: "metadata.resourceVersion" } })),
        put(
          `${things}/${id}?${query}`,
          `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"${id}","resourceVersion":"$rv"},"spec":${spec}}`,
        ),
        patch(`${things}/${id}?${query}`, `{"spec":${spec}}`, { headers: merge }),
        patch(`${things}/${id}?${query}`, `[{"op":"add","path":"/spec","value":${spec}}]`, { headers: jsonPatch }),
        quiet(del(`${things}/${id}`)),
      );
    }
  }
  const top = {
    "unknown at the top": ',"zzz":1,"spec":{}',
    "unknown in metadata": "",
    "duplicate at the top": ',"spec":{},"spec":{"text":"a"}',
  };
  for (const [name, rest] of Object.entries(top)) {
    for (const validation of ["Strict", "Warn"]) {
      const body = name.includes("metadata")
        ? `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"m","foo":1,"labels":{"a":"b"},"ownerReferences":[{"bar":1}]},"spec":{}}`
        : text("Thing", "m", rest);
      yield one(`strictness, ${name}, ${validation}`, post(`${things}?fieldValidation=${validation}&dryRun=All`, body));
    }
  }
}

function* defaults() {
  const filleds = inNamespace("filleds");
  const specs = [
    "",
    ',"spec":{}',
    ',"spec":null',
    ',"spec":3',
    ',"spec":{"text":null,"nullable":null,"whole":null}',
    ',"spec":{"struct":null}',
    ',"spec":{"struct":{"a":null}}',
    ',"spec":{"struct":{"b":{}}}',
    ',"spec":{"bare":{}}',
    ',"spec":{"list":[]}',
    ',"spec":{"list":[null,{}]}',
    ',"spec":{"list":null}',
    ',"spec":{"nulls":[null,"a"]}',
    ',"spec":{"map":{"x":{},"y":null}}',
    ',"spec":{"mapNulls":{"x":null}}',
    ',"status":{}',
    ',"status":{"a":null}',
    ',"spec":{"text":"","flag":true,"whole":0}',
  ];
  for (const [index, rest] of specs.entries()) {
    const id = `d-${index}`;
    yield one(
      `default${rest}`,
      post(filleds, text("Filled", id, rest)),
      get(`${filleds}/${id}`),
      patch(`${filleds}/${id}`, '{"spec":{"text":null,"struct":{"a":"set"}}}', { headers: merge }),
      patch(`${filleds}/${id}`, '{"spec":null}', { headers: merge }),
      quiet(del(`${filleds}/${id}`)),
    );
  }
}

function* metadata() {
  const bodies = {
    "no kind": `{"apiVersion":"${group}/v1","metadata":{"name":"m"}}`,
    "no apiVersion": '{"kind":"Thing","metadata":{"name":"m"}}',
    "other kind": `{"apiVersion":"${group}/v1","kind":"Foo","metadata":{"name":"m"},"spec":{"zz":1}}`,
    "other version": `{"apiVersion":"${group}/v2","kind":"Thing","metadata":{"name":"m"}}`,
    "other group": '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"m"}}',
    "kind is no text": `{"apiVersion":"${group}/v1","kind":1}`,
    "no object": "[]",
    broken: "{",
    empty: "",
    null: "null",
    text: '"x"',
    "no metadata": `{"apiVersion":"${group}/v1","kind":"Thing"}`,
    "metadata is null": `{"apiVersion":"${group}/v1","kind":"Thing","metadata":null}`,
    "metadata is a number": `{"apiVersion":"${group}/v1","kind":"Thing","metadata":1}`,
  };
  const metas = [
    '"labels":1',
    '"labels":{"a":1}',
    '"labels":{"a b":"c"}',
    '"annotations":{"a":null}',
    '"annotations":{"":"x"}',
    '"finalizers":"x"',
    '"finalizers":["x","y.io/z","bad finalizer"]',
    '"ownerReferences":[{}]',
    '"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"x","uid":"y"}]',
    '"creationTimestamp":"x"',
    '"creationTimestamp":"2001-01-01T00:00:00Z"',
    '"generation":5',
    '"generation":-1',
    '"generation":"x"',
    '"uid":"x"',
    '"resourceVersion":"0"',
    '"selfLink":"x"',
    '"deletionTimestamp":"2001-01-01T00:00:00Z"',
    '"managedFields":[{"manager":"x"}]',
    '"managedFields":[]',
    '"namespace":"other"',
    '"generateName":"g-"',
    '"name":"A_B"',
    '"name":""',
    '"name":"."',
    '"unknown":{"a":1}',
  ];
  for (const [name, body] of Object.entries(bodies)) yield one(`create, ${name}`, post(`${things}?dryRun=All`, body));
  for (const meta of metas) {
    const body = `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"meta",${meta}},"spec":{}}`;
    yield one(
      `create, metadata ${meta}`,
      post(`${things}?dryRun=All`, body, meta.includes("generateName") ? { view: () => "named" } : {}),
    );
    yield one(
      `patch, metadata ${meta}`,
      quiet(post(things, thing(`pm-${metas.indexOf(meta)}`, "{}"))),
      patch(`${things}/pm-${metas.indexOf(meta)}`, `{"metadata":{${meta}}}`, { headers: merge }),
      quiet(del(`${things}/pm-${metas.indexOf(meta)}`)),
    );
  }
  for (const name of ["abc", "b", "abcdef", "A"])
    yield one(
      `create, restricted name ${name}`,
      post(`${inNamespace("nameds")}?dryRun=All`, text("Named", name, ',"spec":{}')),
    );
  for (const body of [
    '{"a":"b","spec":{"x":{"y":[1,{"z":null}]}},"data":{"k":"v"},"x":{"q":1}}',
    '{"spec":[1,2]}',
    '{"spec":"x","data":{"k":1}}',
    '{"data":null,"x":null,"spec":null}',
  ])
    yield one(
      `create, loose ${body}`,
      post(
        `${inNamespace("looses")}?dryRun=All`,
        `{"apiVersion":"${group}/v1","kind":"Loose","metadata":{"name":"l"},${body.slice(1)}`,
      ),
    );
  for (const body of ['{"a":"x"}', "{}", "null"])
    yield one(
      `create, cluster-scoped ${body}`,
      post(`${base}/globals?dryRun=All`, text("Global", "g", `,"spec":${body}`)),
      post(`${base}/namespaces/${namespace}/globals?dryRun=All`, text("Global", "g", `,"spec":${body}`), {
        view: () => "",
      }),
    );
}

function* statusAndScale() {
  const part = (id, rest = ',"spec":{"text":"a","replicas":2}') => quiet(post(parts, text("Part", id, rest)));
  const states = [
    "{}",
    "null",
    "3",
    '{"text":"a"}',
    '{"text":"abcd"}',
    '{"text":"a","replicas":3,"selector":"a=b"}',
    '{"text":"a","replicas":-1}',
    '{"text":"a","replicas":"x"}',
    '{"text":"a","replicas":99999999999}',
    '{"text":"a","selector":4}',
    '{"text":"a","nope":1}',
    '{"text":"a","set":["x","x"]}',
    '{"text":null}',
    '{"replicas":1.5}',
  ];
  for (const [index, state] of states.entries()) {
    const id = `st-${index}`;
    yield one(
      `status ${state}`,
      post(`${parts}?dryRun=All`, text("Part", id, `,"status":${state}`)),
      part(id),
      patch(
        `${parts}/${id}/status`,
        `{"status":${state},"spec":{"text":"toolong"},"metadata":{"labels":{"a":"b"},"annotations":{"c":"d"}},"other":1}`,
        { headers: merge },
      ),
      get(`${parts}/${id}/status`),
      get(`${parts}/${id}/scale`),
      patch(`${parts}/${id}`, `{"status":{"text":"zzzzz"},"spec":{"text":"b"}}`, { headers: merge }),
      patch(`${parts}/${id}`, `{"other":{"x":1}}`, { headers: merge }),
      patch(`${parts}/${id}/status`, '[{"op":"remove","path":"/status"}]', { headers: jsonPatch }),
      quiet(del(`${parts}/${id}`)),
    );
  }
  const scales = [
    '{"replicas":3}',
    '{"replicas":50}',
    '{"replicas":-1}',
    "{}",
    '{"replicas":"x"}',
    '{"replicas":0}',
    '{"replicas":null}',
  ];
  for (const [index, spec] of scales.entries()) {
    for (const [kind, rest] of [
      ["stated", ',"spec":{"text":"a","replicas":2}'],
      ["missing", ',"spec":{"text":"a"}'],
      ["bare", ""],
    ]) {
      const id = `sc-${index}-${kind}`;
      const scale = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"${id}","namespace":"${namespace}"},"spec":${spec}}`;
      yield one(
        `PUT scale ${spec}, ${kind}`,
        part(id, rest),
        put(`${parts}/${id}/scale`, scale),
        get(`${parts}/${id}`),
        quiet(del(`${parts}/${id}`)),
      );
      yield one(
        `PATCH scale ${spec}, ${kind}`,
        part(`${id}-p`, rest),
        patch(`${parts}/${id}-p/scale`, `{"spec":${spec}}`, { headers: merge }),
        get(`${parts}/${id}-p`),
        quiet(del(`${parts}/${id}-p`)),
      );
    }
  }
  yield one(
    "PUT scale, stale",
    part("sc-stale"),
    put(`${parts}/sc-stale/scale`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "sc-stale", namespace, resourceVersion: "1" },
      spec: { replicas: 1 },
    }),
    get(`${parts}/sc-stale/scale`, { headers: table }),
    quiet(del(`${parts}/sc-stale`)),
  );
  for (const name of ["absent", "st-absent"])
    yield one(
      `scale of ${name}`,
      get(`${parts}/${name}/scale`),
      patch(`${parts}/${name}/scale`, "{}", { headers: merge }),
      get(`${things}/${name}/scale`),
      get(`${things}/${name}/status`),
    );
}

function* patches() {
  const id = "patched";
  yield one(
    "patches, set up",
    quiet(
      post(
        things,
        thing(
          id,
          '{"text":"a","map":{"a":"1","b":"2"},"keyed":[{"a":"x","b":1},{"a":"y"}],"anything":{"n":[1,2,{"q":null}]}}',
        ),
      ),
    ),
  );
  const merges = [
    '{"spec":{"map":{"a":null,"c":"3"}}}',
    '{"spec":{"keyed":[{"a":"z"}]}}',
    '{"spec":{"anything":null}}',
    '{"spec":{"anything":{"n":null,"m":{"x":null,"y":1}}}}',
    '{"kind":"Foo"}',
    '{"kind":null}',
    '{"kind":3}',
    '{"apiVersion":"x/v1"}',
    '{"metadata":null}',
    '{"metadata":{"name":"other"}}',
    '{"metadata":{"name":null}}',
    '{"metadata":{"uid":"x"}}',
    '{"metadata":{"resourceVersion":"1"}}',
    '{"metadata":{"resourceVersion":null}}',
    '{"metadata":{"namespace":"x"}}',
    '{"metadata":{"creationTimestamp":null}}',
    '{"metadata":{"generation":77}}',
    '{"spec":null}',
    '{"spec":[]}',
    "[]",
    "3",
    "null",
    "{",
    "",
    '{"spec":{"text":"\\u0000"}}',
    "{}",
  ];
  for (const body of merges)
    for (const query of ["", "fieldValidation=Strict"])
      yield one(`merge patch ${body} ${query}`, patch(`${things}/${id}?dryRun=All&${query}`, body, { headers: merge }));
  const operations = [
    '[{"op":"test","path":"/spec/text","value":"b"}]',
    '[{"op":"test","path":"/spec/text","value":"a"},{"op":"remove","path":"/spec/map/a"}]',
    '[{"op":"add","path":"/spec/keyed/-","value":{"a":"x"}}]',
    '[{"op":"add","path":"/spec/keyed/9","value":{}}]',
    '[{"op":"move","from":"/spec/text","path":"/spec/textNullable"}]',
    '[{"op":"copy","from":"/spec/map","path":"/spec/anything"}]',
    '[{"op":"replace","path":"/spec/nope","value":1}]',
    '[{"op":"replace","path":"","value":[]}]',
    '[{"op":"remove","path":"/metadata/labels"}]',
    '[{"op":"replace","path":"/spec/anything/n/2/q","value":{"b":1,"a":2}}]',
    "{}",
    "[]",
  ];
  for (const body of operations)
    yield one(`JSON patch ${body}`, patch(`${things}/${id}?dryRun=All`, body, { headers: jsonPatch }));
  for (const type of ["application/strategic-merge-patch+json", "application/json", "text/plain", ""])
    yield one(
      `patch as ${type}`,
      patch(`${things}/${id}`, "{}", { headers: { "content-type": type } }),
      patch(`${things}/${id}/status`, "{}", { headers: { "content-type": type } }),
    );
  const puts = [
    '"resourceVersion":"$rv"',
    '"resourceVersion":"1"',
    '"resourceVersion":"$rv","uid":"x"',
    '"labels":{"a":"b"},"resourceVersion":"$rv"',
    '"generation":99,"resourceVersion":"$rv"',
  ];
  for (const meta of ["", ...puts])
    yield one(
      `PUT with ${meta}`,
      quiet(get(`${things}/${id}`, { save: { rv: "metadata.resourceVersion" } })),
      put(
        `${things}/${id}?dryRun=All`,
        `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"${id}"${meta === "" ? "" : `,${meta}`}},"spec":{"text":"b"}}`,
      ),
    );
  yield one(
    "PUT to nothing",
    put(`${things}/absent`, thing("absent", "{}")),
    put(`${things}/absent`, thing("other", "{}")),
    patch(`${things}/absent`, "{}", { headers: merge }),
  );
  yield one("patches, clean up", quiet(del(`${things}/${id}`)));
}

function* reads() {
  const specs = [
    '{"text":"a","whole":1,"any":1.5,"flag":true,"struct":{"a":"x","c":{"d":"e"}},"texts":["p","q","r"],"structs":[{"a":"x","b":1},{"a":"y","b":2}],"map":{"a":"1"},"textNullable":"2020-01-01T00:00:00Z"}',
    '{"any":1000000,"texts":["p"],"struct":{},"structs":[],"textNullable":"nonsense"}',
    "{}",
    '{"text":"","whole":0,"any":0.00001,"flag":false,"textNullable":null,"texts":[],"map":{}}',
  ];
  const names = specs.map((_, index) => `r-${index}`);
  yield one(
    "reads, set up",
    ...specs.map((spec, index) =>
      quiet(
        post(
          things,
          `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"r-${index}","labels":{"read":"${index % 2}","example.com/x":"dotted"}},"spec":${spec}}`,
        ),
      ),
    ),
  );
  const selected = "labelSelector=read";
  for (const accept of [
    "application/json",
    "application/yaml",
    table.accept,
    `${table.accept},application/json`,
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/vnd.kubernetes.protobuf,application/json",
    "application/vnd.kubernetes.protobuf",
    "application/xml",
    "*/*",
  ]) {
    const view_ = accept === "application/vnd.kubernetes.protobuf" ? () => "" : view;
    for (const query of ["", "&limit=2", "&includeObject=Object", "&includeObject=None", "&resourceVersion=0"]) {
      if (query === "&limit=2" && accept.includes("protobuf")) continue;
      yield one(
        `list as ${accept}${query}`,
        get(`${things}?${selected}${query}`, { headers: { accept }, view: view_ }),
      );
    }
    if (!accept.includes("MetadataList"))
      for (const name of names)
        yield one(`get ${name} as ${accept}`, get(`${things}/${name}`, { headers: { accept }, view: view_ }));
    if (!accept.includes("yaml"))
      yield one(
        `watch as ${accept}`,
        get(`${things}?${selected}&watch=1&timeoutSeconds=1&resourceVersion=0`, { headers: { accept }, view: view_ }),
      );
  }
  for (const query of [
    "fieldSelector=metadata.name=r-1",
    "fieldSelector=metadata.namespace=x",
    "fieldSelector=spec.text=a",
    "labelSelector=read=1",
    "labelSelector=a=b=c",
    "fieldSelector=metadata.name",
  ])
    yield one(`list ?${query}`, get(`${things}?${selected}&${query}`), get(`${base}/things?${selected}&${query}`));
  for (const path of [
    `${things}/absent`,
    `${things}/r-1/nope`,
    `${base}/things/r-1`,
    `/apis/${group}/v9/things`,
    `/apis/${group}/v1/nothings`,
    `${base}/globals/x`,
  ])
    yield one(`GET ${path}`, get(path));
  yield one(
    "an empty list",
    get(`${things}?labelSelector=never`),
    get(`${things}?labelSelector=never`, { headers: table }),
    get(`${things}?labelSelector=never`, {
      headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
    }),
    get(`${things}?labelSelector=never`, { headers: { accept: "application/yaml" } }),
  );
  yield one("reads, clean up", ...names.map((name) => quiet(del(`${things}/${name}`))));
}

function* versions() {
  const of = (version) => inNamespace("changes", version);
  for (const version of ["v1", "v2", "v3"]) {
    for (const [index, spec] of ['{"a":"x","b":"y","both":"z"}', '{"both":1}', "{}", '{"both":null}'].entries()) {
      const id = `c-${version}-${index}`;
      yield one(
        `create in ${version} ${spec}`,
        post(of(version), text("Change", id, `,"spec":${spec}`, version)),
        ...["v1", "v2", "v3"].flatMap((other) => [
          get(`${of(other)}/${id}`),
          get(`${of(other)}?fieldSelector=metadata.name=${id}`),
          get(`${of(other)}?fieldSelector=metadata.name=${id}`, { headers: table }),
          get(`${of(other)}?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name=${id}`),
        ]),
        patch(`${of("v2")}/${id}`, '{"spec":{"b":"patched"},"metadata":{"labels":{"a":"b"}}}', { headers: merge }),
        get(`${of("v1")}/${id}`),
        post(`${of("v1")}?dryRun=All`, text("Change", "x", "", version)),
        del(`${of("v3")}/${id}`),
      );
    }
  }
}

function* deletes() {
  for (const [name, body] of [
    ["plain", undefined],
    ["orphan", { propagationPolicy: "Orphan" }],
    ["wrong", { propagationPolicy: "X" }],
    ["dry", { dryRun: ["All"] }],
    ["uid", { preconditions: { uid: "x" } }],
    ["grace", { gracePeriodSeconds: 5 }],
  ]) {
    const id = `del-${name}`;
    yield one(
      `delete, ${name}`,
      quiet(
        post(
          things,
          `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"${id}","finalizers":["example.com/f"]},"spec":{"text":"a"}}`,
        ),
      ),
      del(`${things}/${id}`, body),
      get(`${things}/${id}`),
      patch(`${things}/${id}`, '{"spec":{"text":"b"}}', { headers: merge }),
      quiet(patch(`${things}/${id}`, '{"metadata":{"finalizers":null}}', { headers: merge })),
      quiet(del(`${things}/${id}`)),
    );
  }
  yield one(
    "delete a collection",
    quiet(
      post(
        things,
        `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"dc","labels":{"dc":"1"}},"spec":{}}`,
      ),
    ),
    del(`${things}?labelSelector=dc`),
    get(`${things}?labelSelector=dc`),
    del(`${things}/absent`),
  );
}
