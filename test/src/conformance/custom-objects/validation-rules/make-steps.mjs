// Requests by which definitions with rules are made and changed, and objects by their rules.
// `wait` is the code to wait for by repeating a request; "$version" in a body is the resourceVersion of the last object.
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export const steps = [];
const emit = (step) => steps.push(step);

const definition = (plural, schema, more = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.rules.example.com` },
  spec: {
    group: "rules.example.com",
    scope: "Cluster",
    names: { plural, singular: plural.slice(0, -1), kind: kindOf(plural), listKind: `${kindOf(plural)}List` },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
  },
});
const kindOf = (plural) => plural[0].toUpperCase() + plural.slice(1, -1);
const collection = (plural) => `/apis/rules.example.com/v1/${plural}`;
const object = (plural, name, content) => ({
  apiVersion: "rules.example.com/v1",
  kind: kindOf(plural),
  metadata: { name },
  ...content,
});
const ruled = (schema, ...rules) => ({
  ...schema,
  "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});
const root = (properties, ...rules) => ruled({ type: "object", properties }, ...rules);
const integer = { type: "integer" };

const define = (plural, schema, more, gate) => {
  emit({ gate, method: "POST", path: definitions, body: definition(plural, schema, more) });
  emit({ gate, method: "GET", path: collection(plural), wait: 200 });
};
const refuse = (plural, schema, gate) =>
  emit({ gate, method: "POST", path: definitions, body: definition(plural, schema) });
const create = (plural, name, content, gate, query = "") =>
  emit({ gate, method: "POST", path: `${collection(plural)}${query}`, body: object(plural, name, content) });
const merge = (plural, name, body, gate, sub = "", more = {}) =>
  emit({
    gate,
    method: "PATCH",
    path: `${collection(plural)}/${name}${sub}`,
    type: "application/merge-patch+json",
    body,
    ...more,
  });
const apply = (plural, name, content, gate) =>
  emit({
    gate,
    method: "PATCH",
    path: `${collection(plural)}/${name}?fieldManager=test&force=true`,
    type: "application/apply-patch+yaml",
    body: object(plural, name, content),
  });
const replace = (plural, name, content, gate, sub = "") => {
  emit({ gate, method: "GET", path: `${collection(plural)}/${name}` });
  emit({
    gate,
    method: "PUT",
    path: `${collection(plural)}/${name}${sub}`,
    body: { ...object(plural, name, content), metadata: { name, resourceVersion: "$version" } },
  });
};

// The end-to-end tests of Kubernetes.
const array = (maxItems) => ({ type: "array", maxItems, items: integer });
define(
  "basics",
  root({
    spec: ruled(
      {
        type: "object",
        properties: {
          x: integer,
          y: integer,
          firstArray: array(1000),
          secondArray: array(1000),
          largeArray: array(725),
        },
      },
      "self.x + self.y > 0",
      "self.firstArray.isSorted() && self.secondArray.isSorted() && ((self.firstArray.sum() + self.secondArray.sum()) % 2 == 0)",
      "self.largeArray.all(x, self.largeArray.all(y, y == x))",
    ),
    status: ruled(
      { type: "object", properties: { health: { type: "string" } } },
      "self.health == 'ok' || self.health == 'unhealthy'",
    ),
  }),
);
create("basics", "valid", { spec: { x: 1, y: 0, firstArray: [3, 4], secondArray: [5, 10], largeArray: [2, 2] } });
create("basics", "invalid", { spec: { x: 0, y: 0 } });
create("basics", "costly", { spec: { largeArray: Array(725).fill(20) } });
create("basics", "healthy", { status: { health: "ok" } });
create("basics", "ill", { status: { health: "ill" } });
refuse("nothings", root({ spec: ruled({ type: "object", properties: { x: integer } }, "self.z == 100") }));
refuse("wrongs", root({ spec: ruled({ type: "object" }, "self = 42") }));
refuse(
  "costlies",
  root({
    spec: {
      type: "object",
      properties: {
        x: {
          type: "array",
          items: ruled({ type: "array", items: { type: "string" } }, "self.all(s, s == 'string constant')"),
        },
      },
    },
  }),
);
define(
  "steps",
  root({ spec: { type: "object", properties: { num: ruled(integer, "self > oldSelf"), other: integer } } }),
);
create("steps", "one", { spec: { num: 10 } });
replace("steps", "one", { spec: { num: 9 } });
replace("steps", "one", { spec: { num: 11 } });
merge("steps", "one", { spec: { num: 10 } });
merge("steps", "one", { metadata: { labels: { a: "b" } } });
merge("steps", "one", { spec: { num: 12 } });
apply("steps", "one", { spec: { num: 3 } });
apply("steps", "one", { spec: { num: 13 } });
apply("steps", "two", { spec: { num: 1 } });
emit({
  method: "PATCH",
  path: `${collection("steps")}/two`,
  type: "application/json-patch+json",
  body: [{ op: "replace", path: "/spec/num", value: 0 }],
});
merge("steps", "two", { spec: { num: null } });
merge("steps", "two", { spec: { num: -5 } });

// Subresources.
define(
  "scalables",
  root(
    {
      spec: {
        type: "object",
        properties: {
          replicas: ruled(
            integer,
            { rule: "self <= 5", message: "too many" },
            { rule: "self >= oldSelf - 2", reason: "FieldValueForbidden", message: "too fast" },
          ),
          x: integer,
        },
      },
      status: ruled(
        { type: "object", properties: { replicas: integer, health: { type: "string" } } },
        {
          rule: "!has(self.health) || self.health == 'ok'",
          fieldPath: ".health",
          reason: "FieldValueRequired",
          messageExpression: "'not ' + self.health",
        },
      ),
    },
    "!has(self.spec.x) || !has(self.status) || !has(self.status.replicas) || self.spec.x >= self.status.replicas",
  ),
  {
    subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
  },
);
create("scalables", "many", { spec: { replicas: 6 } });
create("scalables", "some", { spec: { replicas: 5, x: 1 }, status: { health: "bad" } });
merge("scalables", "some", { spec: { replicas: 6 } }, undefined, "/scale");
merge("scalables", "some", { spec: { replicas: 1 } }, undefined, "/scale");
merge("scalables", "some", { spec: { replicas: 4 } }, undefined, "/scale");
merge("scalables", "some", { status: { health: "bad" } }, undefined, "/status");
merge("scalables", "some", { status: { health: "ok", replicas: 2 } }, undefined, "/status");
merge("scalables", "some", { status: { health: "ok", replicas: 1 } }, undefined, "/status");
replace("scalables", "some", { spec: { replicas: 0 }, status: { health: "bad" } }, undefined, "/status");
merge("scalables", "some", { spec: { x: 0 } });

// Decoding, defaults and absence.
define(
  "defaulteds",
  root({
    spec: ruled(
      {
        type: "object",
        properties: {
          a: { type: "integer", default: 3 },
          b: { type: "integer" },
          c: { type: "integer", nullable: true },
          ratio: { type: "number" },
          open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
      { rule: "self.a == 3", messageExpression: "'a is ' + (self.a == 4 ? 'four' : 'other')" },
      "!has(self.b)",
      "!has(self.c)",
      "!has(self.ratio) || self.ratio == 1.0",
      "!has(self.open) || self.open == self.open",
    ),
  }),
);
create("defaulteds", "none", { spec: {} });
create("defaulteds", "null", { spec: { a: null, b: null, c: null } });
create("defaulteds", "four", { spec: { a: 4, unknown: 1 } });
create("defaulteds", "ratio", { spec: { ratio: 1 } });
create("defaulteds", "ratios", { spec: { ratio: 2 } });
create("defaulteds", "open", { spec: { open: { x: { y: [1] } } } });
create("defaulteds", "wrong", { spec: { a: "x" } });
create("defaulteds", "strict", { spec: { a: 4, unknown: 1 } }, undefined, "?fieldValidation=Strict");
refuse(
  "wrongdefaults",
  root({ spec: { type: "object", properties: { a: ruled({ type: "integer", default: 1 }, "self > 1") } } }),
);

// Changes of definitions.
define("changings", root({ spec: { type: "object", properties: { a: integer } } }));
create("changings", "one", { spec: { a: 1 } });
merge("changings", "one", { spec: { a: 2 } });
const changed = (schema) => ({ spec: { versions: definition("changings", schema).spec.versions } });
const change = (schema, gate) =>
  emit({
    gate,
    method: "PATCH",
    path: `${definitions}/changings.rules.example.com`,
    type: "application/merge-patch+json",
    body: changed(schema),
  });
change(root({ spec: ruled({ type: "object", properties: { a: integer } }, "self.b > 1") }));
change(
  root({ spec: ruled({ type: "object", properties: { a: integer } }, { rule: "self.a > 5", optionalOldSelf: true }) }),
);
change(
  root({
    spec: ruled(
      { type: "object", properties: { a: integer, l: { type: "array", items: { type: "string" } } } },
      "self.l.all(x, self.l.all(y, x == y))",
    ),
  }),
);
change(root({ spec: ruled({ type: "object", properties: { a: integer } }, "self.a > 5") }));
create("changings", "two", { spec: { a: 1 } }, undefined, "?dryRun=All");

// Feature gate CRDValidationRatcheting.
const gate = true;
const loose = {
  type: "object",
  properties: {
    a: { type: "string" },
    n: integer,
    l: { type: "array", maxItems: 5, items: { type: "object", properties: { v: integer } } },
    p: {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: { type: "string" }, v: integer } },
    },
    m: { type: "object", maxProperties: 5, additionalProperties: integer },
  },
};
const { a, n, l, p, m } = loose.properties;
const strict = ruled(
  {
    ...loose,
    properties: {
      a: ruled({ ...a, maxLength: 3 }, { rule: "self == 'x'", message: "a must be x" }),
      n: ruled({ ...n, maximum: 5 }, "self == oldSelf"),
      l: { ...l, items: { ...l.items, properties: { v: ruled(integer, "self > 0") } } },
      p: {
        ...p,
        items: ruled(
          { ...p.items, properties: { name: { type: "string" }, v: ruled(integer, "self > 0") } },
          { rule: "self.v < 100", message: "large" },
        ),
      },
      m: { ...m, additionalProperties: ruled(integer, "self > 0") },
    },
  },
  { rule: "has(self.n)", message: "n is missing" },
);
define("ratchets", root({ spec: loose }), undefined, gate);
create(
  "ratchets",
  "one",
  {
    spec: {
      a: "y",
      l: [{ v: 0 }],
      p: [
        { name: "q", v: 0 },
        { name: "r", v: 200 },
      ],
      m: { k: 0 },
    },
  },
  gate,
);
create("ratchets", "two", { spec: { a: "long", n: 10 } }, gate);
emit({
  gate,
  method: "PATCH",
  path: `${definitions}/ratchets.rules.example.com`,
  type: "application/merge-patch+json",
  body: { spec: { versions: definition("ratchets", root({ spec: strict })).spec.versions } },
});
emit({
  gate,
  method: "POST",
  path: `${collection("ratchets")}?dryRun=All`,
  body: object("ratchets", "three", { spec: { a: "y" } }),
  wait: 422,
});
merge("ratchets", "one", { metadata: { labels: { x: "y" } } }, gate);
merge("ratchets", "one", { spec: { a: "z" } }, gate);
merge("ratchets", "one", { spec: { n: 1 } }, gate);
merge(
  "ratchets",
  "one",
  {
    spec: {
      p: [
        { name: "r", v: 200 },
        { name: "q", v: 0 },
      ],
    },
  },
  gate,
);
merge(
  "ratchets",
  "one",
  {
    spec: {
      p: [
        { name: "q", v: -1 },
        { name: "r", v: 200 },
      ],
    },
  },
  gate,
);
merge("ratchets", "one", { spec: { l: [{ v: 0 }, { v: 0 }] } }, gate);
merge("ratchets", "one", { spec: { m: { k: 0, j: 0 } } }, gate);
merge("ratchets", "two", { metadata: { labels: { x: "y" } } }, gate);
merge("ratchets", "two", { spec: { a: "longer" } }, gate);
merge("ratchets", "two", { spec: { n: 11 } }, gate);
define(
  "optionals",
  root({
    spec: {
      type: "object",
      properties: {
        a: ruled(
          integer,
          { rule: "!oldSelf.hasValue() || self > oldSelf.value()", optionalOldSelf: true, message: "must grow" },
          { rule: "oldSelf.hasValue() || self == 1", optionalOldSelf: true, message: "must begin with 1" },
          "self >= oldSelf",
        ),
      },
    },
  }),
  undefined,
  gate,
);
create("optionals", "two", { spec: { a: 2 } }, gate);
create("optionals", "one", { spec: { a: 1 } }, gate);
merge("optionals", "one", { spec: { a: 1 }, metadata: { labels: { x: "y" } } }, gate);
merge("optionals", "one", { spec: { a: 3 } }, gate);
merge("optionals", "one", { spec: { a: 2 } }, gate);
refuse(
  "unuseds",
  root({ spec: ruled({ type: "object", properties: { a: integer } }, { rule: "self.a == 1", optionalOldSelf: true }) }),
  gate,
);
refuse(
  "mixeds",
  root({
    spec: ruled({ type: "object", properties: { a: integer } }, { rule: "self.a == oldSelf.a", optionalOldSelf: true }),
  }),
  gate,
);
refuse(
  "optionaldefaults",
  root({
    spec: {
      type: "object",
      properties: {
        a: ruled({ type: "integer", default: 1 }, { rule: "oldSelf.hasValue() || self == 2", optionalOldSelf: true }),
      },
    },
  }),
  gate,
);
