import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../json/json.js";
import type { FieldError } from "../status/field-error.js";
import { invalid } from "../status/status-error.js";
import { validatePathSegmentName, validateSubdomainName } from "./names.js";
import { resourceVersionRequired, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.js";

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const options = { namespaced: true, validateName: validateSubdomainName, onlyKnownFinalizers: true } as const;
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "u" };

function texts(errors: readonly FieldError[]): string[] {
  return errors.map((error) => `${error.field}: ${error.message}`);
}

const created: readonly [name: string, metadata: JsonObject, errors: readonly string[]][] = [
  [
    "a full set of good metadata is accepted",
    {
      name: "a.b",
      generateName: "a.",
      namespace: "ns",
      generation: 1,
      labels: { "example.com/a": "B_c" },
      annotations: { "Example.com/Anything": "any text\n" },
      finalizers: ["orphan", "example.com/x"],
      ownerReferences: [{ ...owner, controller: true }, owner],
      managedFields: [{ manager: "kubectl", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1" }],
    },
    [`metadata.generateName: Invalid value: "a.": ${subdomain}`],
  ],
  ["a generateName may end with a dash", { name: "a-x", generateName: "a-", namespace: "ns" }, []],
  ["a name is required", { namespace: "ns" }, ["metadata.name: Required value: name or generateName is required"]],
  [
    "a name must be one of its kind",
    { name: "A", namespace: "ns" },
    [`metadata.name: Invalid value: "A": ${subdomain}`],
  ],
  ["a namespaced object needs a namespace", { name: "a" }, ["metadata.namespace: Required value"]],
  [
    "a namespace is a label",
    { name: "a", namespace: "a.b" },
    ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
  ],
  [
    "the generation is not negative",
    { name: "a", namespace: "ns", generation: -1 },
    ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"],
  ],
  [
    "label keys and values are checked",
    { name: "a", namespace: "ns", labels: { "a b": "c d" } },
    [
      `metadata.labels: Invalid value: "a b": name part ${qualified}`,
      `metadata.labels: Invalid value: "c d": ${labelValue}`,
    ],
  ],
  [
    "annotation keys are checked",
    { name: "a", namespace: "ns", annotations: { "a b": "x" } },
    [`metadata.annotations: Invalid value: "a b": name part ${qualified}`],
  ],
  [
    "annotations have a limit",
    { name: "a", namespace: "ns", annotations: { a: "x".repeat(256 * 1024) } },
    ["metadata.annotations: Too long: must have at most 262144 bytes"],
  ],
  [
    "annotations may reach the limit",
    { name: "a", namespace: "ns", annotations: { a: "x".repeat(256 * 1024 - 1) } },
    [],
  ],
  [
    "owners are fully named",
    { name: "a", namespace: "ns", ownerReferences: [{ apiVersion: "apps/" }] },
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    ],
  ],
  [
    "an event owns nothing",
    { name: "a", namespace: "ns", ownerReferences: [{ ...owner, apiVersion: "v1", kind: "Event" }] },
    [
      'metadata.ownerReferences: Invalid value: v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"r", UID:"u", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    "an object has one controller",
    {
      name: "a",
      namespace: "ns",
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, name: "s", controller: true },
      ],
    },
    [
      'metadata.ownerReferences: Invalid value: []v1.OwnerReference{v1.OwnerReference{APIVersion:"apps/v1", Kind:"ReplicaSet", Name:"r", UID:"u", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}, v1.OwnerReference{APIVersion:"apps/v1", Kind:"ReplicaSet", Name:"s", UID:"u", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}}: Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/r and ReplicaSet/s',
    ],
  ],
  [
    "finalizers are qualified names",
    { name: "a", namespace: "ns", finalizers: ["a b/c", "x"] },
    [
      `metadata.finalizers: Invalid value: "a b/c": prefix part ${subdomain}`,
      'metadata.finalizers[1]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ],
  [
    "dependents are orphaned or deleted, not both",
    { name: "a", namespace: "ns", finalizers: ["orphan", "foregroundDeletion"] },
    [
      'metadata.finalizers: Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  [
    "managed fields have a shape",
    {
      name: "a",
      namespace: "ns",
      managedFields: [
        { operation: "Create", fieldsType: "FieldsV2", manager: "a\tb", subresource: "s".repeat(257) },
        { operation: "Apply", manager: "m".repeat(129) },
      ],
    },
    [
      'metadata.managedFields[0].operation: Invalid value: "Create": must be `Apply` or `Update`',
      'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
      'metadata.managedFields[0].manager: Invalid value: "a\\tb": invalid character U+0009 (at position 1)',
      "metadata.managedFields[0].subresource: Too long: must have at most 256 bytes",
      "metadata.managedFields[1].manager: Too long: must have at most 128 bytes",
    ],
  ],
];

for (const [name, metadata, errors] of created) {
  test(name, () => assert.deepEqual(texts(validateObjectMeta(metadata, options)), errors));
}

test("an object of a cluster-scoped kind has no namespace", () => {
  const clusterOptions = { namespaced: false, validateName: validatePathSegmentName, onlyKnownFinalizers: false };
  assert.deepEqual(
    texts(validateObjectMeta({ name: "system:a", namespace: "ns", finalizers: ["x"] }, clusterOptions)),
    ["metadata.namespace: Forbidden: not allowed on this type"],
  );
});

const stored: JsonObject = {
  name: "a",
  namespace: "ns",
  uid: "u",
  resourceVersion: "5",
  generation: 2,
  creationTimestamp: "2024-02-03T04:05:06Z",
};

const updated: readonly [name: string, old: JsonObject, change: JsonObject, errors: readonly string[]][] = [
  ["an update that changes no identity is accepted", stored, { labels: { a: "b" }, finalizers: ["example.com/x"] }, []],
  [
    "an update names a version",
    stored,
    { resourceVersion: "" },
    ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ],
  [
    "the generation never goes back",
    stored,
    { generation: 1 },
    ["metadata.generation: Invalid value: 1: must not be decremented"],
  ],
  [
    "identity is immutable",
    stored,
    { name: "b", namespace: "other", uid: "v" },
    [
      'metadata.name: Invalid value: "b": field is immutable',
      'metadata.namespace: Invalid value: "other": field is immutable',
      'metadata.uid: Invalid value: "v": field is immutable',
    ],
  ],
  [
    "the creation time is immutable",
    stored,
    { creationTimestamp: "2024-02-03T04:05:07Z" },
    ["metadata.creationTimestamp: Invalid value: 2024-02-03 04:05:07 +0000 UTC: field is immutable"],
  ],
  [
    "the same creation time may be written with another offset",
    stored,
    { creationTimestamp: "2024-02-03T05:05:06+01:00" },
    [],
  ],
  [
    "deletion is not set by an update",
    stored,
    { deletionTimestamp: "2024-02-03T04:05:07Z", deletionGracePeriodSeconds: 1 },
    [
      "metadata.deletionTimestamp: Invalid value: 2024-02-03 04:05:07 +0000 UTC: field is immutable",
      "metadata.deletionGracePeriodSeconds: Invalid value: 1: field is immutable",
    ],
  ],
  [
    "deletion is not taken back",
    { ...stored, deletionTimestamp: "2024-02-03T04:05:07Z" },
    { deletionTimestamp: null },
    ['metadata.deletionTimestamp: Invalid value: "null": field is immutable'],
  ],
  [
    "finalizers can be removed while an object is being deleted, not added",
    { ...stored, deletionTimestamp: "2024-02-03T04:05:07Z", finalizers: ["example.com/a", "example.com/b"] },
    { deletionTimestamp: "2024-02-03T04:05:07Z", finalizers: ["example.com/d", "example.com/b", "example.com/c"] },
    [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c", "example.com/d"}',
    ],
  ],
  [
    "a finalizer without domain must be known",
    stored,
    { finalizers: ["x"] },
    ['metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified'],
  ],
];

for (const [name, old, change, errors] of updated) {
  test(name, () => {
    assert.deepEqual(texts(validateObjectMetaUpdate({ ...stored, ...change }, old, options)), errors);
  });
}

test("a missing version is shown as the number it is to kube-apiserver", () => {
  assert.deepEqual(texts([resourceVersionRequired()]), [
    "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update",
  ]);
});

test("however much is wrong with metadata, a thousand mistakes and one are looked for", () => {
  const many = Array.from({ length: 20_000 }, (_, i) => i);
  const wrong: readonly JsonObject[] = [
    { labels: Object.fromEntries(many.map((i) => [`-${i}`, "-"])) },
    { annotations: Object.fromEntries(many.map((i) => [`-${i}`, ""])) },
    { finalizers: many.map((i) => `-${i}`) },
    { managedFields: many.map(() => ({ operation: "x" })) },
    {
      ownerReferences: many.map((i) => ({ apiVersion: "v1", kind: "Pod", name: "x", uid: `u${i}`, controller: true })),
    },
  ];
  for (const metadata of wrong) {
    const options = { namespaced: false, validateName: validateSubdomainName, onlyKnownFinalizers: true };
    const errors = validateObjectMeta({ name: "a", ...metadata }, options);
    assert.ok(errors.length > 1_000 && errors.length < 3_010, `${Object.keys(metadata)}: ${errors.length}`);
    // Each error about controllers quotes all owners: what is listed is bounded in length, too.
    const { message = "" } = invalid({ group: "", kind: "Pod" }, "a", errors).status;
    assert.ok(message.length < 5_000_000, String(message.length));
  }
});
