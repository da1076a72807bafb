import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultFeatureGates } from "@gatehouse/apiserver/options";
import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { FieldErrors } from "@gatehouse/apiserver/validation";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { FieldError } from "@gatehouse/envelopes/status";
import { configMapValidation } from "./config-map/validation.js";
import { secretValidation } from "./secret/validation.js";

const texts = (errors: readonly FieldError[]): readonly string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);
const context: StrategyContext = {
  user: { username: "ann", uid: "", groups: [], extra: {} },
  nowMs: 0,
  subresource: "",
  features: defaultFeatureGates(),
  allowPrivileged: false,
  warn: () => undefined,
};
const onCreate = (validation: KindValidation, object: JsonObject): readonly string[] => {
  const errors = new FieldErrors();
  validation.create(object, errors, context);
  return texts(errors.list);
};
const onUpdate = (validation: KindValidation, object: JsonObject, old: JsonObject): readonly string[] => {
  const errors = new FieldErrors();
  validation.update(object, old, errors, context);
  return texts(errors.list);
};
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const badKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const frozen = "field is immutable when `immutable` is set";

const created: readonly (readonly [name: string, validation: KindValidation, object: JsonObject, errors: string[]])[] =
  [
    ["keys that can be names of files", configMapValidation, { data: { "a.b": "", _: "", "-c": "" } }, []],
    [
      "keys that cannot",
      configMapValidation,
      { data: { "..": "", "a b": "", "..a": "", ".": "" }, binaryData: { "": "" } },
      [
        "data[..]: Invalid value: \"..\": must not be '..'",
        `data[a b]: Invalid value: "a b": ${badKey}`,
        "data[..a]: Invalid value: \"..a\": must not start with '..'",
        "data[.]: Invalid value: \".\": must not be '.'",
        `binaryData[]: Invalid value: "": ${badKey}`,
      ],
    ],
    [
      "a key with two values",
      configMapValidation,
      { data: { a: "" }, binaryData: { a: "" } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [
      "more than a mebibyte, text and bytes together",
      configMapValidation,
      { data: { a: "ä".repeat(2 ** 18) }, binaryData: { b: Buffer.alloc(2 ** 19 + 1).toString("base64") } },
      ["[]: Too long: must have at most 1048576 bytes"],
    ],
    [
      "a mebibyte",
      configMapValidation,
      { data: { a: "ä".repeat(2 ** 18) }, binaryData: { b: Buffer.alloc(2 ** 19).toString("base64") } },
      [],
    ],
    [
      "more than a mebibyte of secrets",
      secretValidation,
      { data: { "a b": Buffer.alloc(2 ** 20 + 1).toString("base64") } },
      [`data[a b]: Invalid value: "a b": ${badKey}`, "data: Too long: must have at most 1048576 bytes"],
    ],
    ["a secret of a type of its own", secretValidation, { type: "example.com/x" }, []],
    [
      "a token of nobody",
      secretValidation,
      { type: "kubernetes.io/service-account-token" },
      ["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
    ],
    [
      "registry credentials that are missing",
      secretValidation,
      { type: "kubernetes.io/dockercfg" },
      ["data[.dockercfg]: Required value"],
    ],
    [
      "registry credentials that are no JSON",
      secretValidation,
      { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": base64("hi") } },
      [
        "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": invalid character 'h' looking for beginning of value",
      ],
    ],
    [
      "registry credentials that are no object",
      secretValidation,
      { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": base64("[]") } },
      [
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ],
    [
      "registry credentials",
      secretValidation,
      { type: "kubernetes.io/dockercfg", data: { ".dockercfg": base64("{}") } },
      [],
    ],
    [
      "neither user nor password",
      secretValidation,
      { type: "kubernetes.io/basic-auth" },
      ["data[username]: Required value", "data[password]: Required value"],
    ],
    ["one of user and password", secretValidation, { type: "kubernetes.io/basic-auth", data: { password: "" } }, []],
    [
      "an empty key for ssh",
      secretValidation,
      { type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } },
      ["data[ssh-privatekey]: Required value"],
    ],
    [
      "a key without its certificate",
      secretValidation,
      { type: "kubernetes.io/tls", data: { "tls.key": "" } },
      ["data[tls.crt]: Required value"],
    ],
  ];

for (const [name, validation, object, errors] of created) {
  test(`${name}: ${errors.length === 0 ? "accepted" : "refused"}`, () => {
    assert.deepEqual(onCreate(validation, object), errors);
  });
}

test("an immutable ConfigMap or Secret stays as it is", () => {
  const old = { immutable: true, data: { a: "MQ==" }, binaryData: { b: "MQ==" } };
  assert.deepEqual(onUpdate(configMapValidation, { ...old, metadata: { labels: {} } }, old), []);
  assert.deepEqual(onUpdate(configMapValidation, { data: {}, binaryData: {} }, old), [
    `immutable: Forbidden: ${frozen}`,
    `data: Forbidden: ${frozen}`,
    `binaryData: Forbidden: ${frozen}`,
  ]);
  assert.deepEqual(onUpdate(configMapValidation, { immutable: true }, { immutable: false, data: { a: "" } }), []);
  assert.deepEqual(onUpdate(secretValidation, { immutable: true }, { immutable: true, data: { a: "" } }), [
    `data: Forbidden: ${frozen}`,
  ]);
});

test("what a secret is for does not change", () => {
  assert.deepEqual(onUpdate(secretValidation, { type: "a" }, { type: "Opaque" }), [
    'type: Invalid value: "a": field is immutable',
  ]);
});
