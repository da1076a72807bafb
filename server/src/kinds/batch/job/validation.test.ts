import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldError, JsonObject } from "@gatehouse/envelopes";
import { validateJob, validateJobUpdate } from "./validation.js";

const labels = {
  "batch.kubernetes.io/controller-uid": "u",
  "batch.kubernetes.io/job-name": "j",
  "controller-uid": "u",
  "job-name": "j",
};
const selector = { matchLabels: { "batch.kubernetes.io/controller-uid": "u" } };

function job(spec: JsonObject = {}, template: JsonObject = {}): JsonObject {
  return {
    metadata: { name: "j", uid: "u" },
    spec: { selector, template: { metadata: { labels }, spec: { restartPolicy: "Never" }, ...template }, ...spec },
  };
}

const texts = (errors: readonly FieldError[]): readonly string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

test("a job with the selector and labels that the server has made is right", () => {
  assert.deepEqual(validateJob(job()), []);
  assert.deepEqual(validateJobUpdate(job(), job()), []);
});

test("a client may not put other labels in the place of the generated ones", () => {
  const own = { ...labels, "job-name": "k" };
  assert.deepEqual(texts(validateJob(job({}, { metadata: { labels: own } }))), [
    `spec.template.metadata.labels[job-name]: Invalid value: map[string]string{"batch.kubernetes.io/controller-uid":"u", "batch.kubernetes.io/job-name":"j", "controller-uid":"u", "job-name":"k"}: must be 'j'`,
  ]);
  const { "controller-uid": _uid, ...fewer } = labels;
  assert.deepEqual(texts(validateJob(job({}, { metadata: { labels: fewer } }))), [
    "spec.template.metadata.labels[controller-uid]: Required value: must be 'u'",
  ]);
});

test("a selector of the client's own must find the pods, and needs manualSelector", () => {
  const own = { matchLabels: { app: "a" } };
  assert.deepEqual(
    validateJob(job({ selector: own, manualSelector: true }, { metadata: { labels: { app: "a" } } })),
    [],
  );
  assert.match(
    texts(validateJob(job({ selector: own, manualSelector: true })))[0] ?? "",
    /^spec.template.metadata.labels: Invalid value: map.*: `selector` does not match template `labels`$/,
  );
  assert.match(
    texts(validateJob(job({ selector: own })))[0] ?? "",
    /^spec.selector: Invalid value: .*`selector` not auto-generated$/,
  );
});

test("what makes the pods cannot be changed, and what is wrong with the selector is said twice", () => {
  const { selector: _selector, ...rest } = job()["spec"] as JsonObject;
  const changed = { ...job(), spec: { ...rest, completionMode: "Indexed", completions: 1, parallelism: 1 } };
  const errors = [...validateJob(changed), ...validateJobUpdate(changed, job())];
  assert.deepEqual(
    errors.map(({ type, field }) => `${type} ${field}`),
    [
      "FieldValueRequired spec.selector",
      "FieldValueInvalid spec.template.metadata.labels",
      "FieldValueRequired spec.selector",
      "FieldValueInvalid spec.template.metadata.labels",
      "FieldValueInvalid spec.selector",
      "FieldValueInvalid spec.completionMode",
    ],
  );
});

test("an indexed job grows only together with its parallelism", () => {
  const indexed = (completions: number, parallelism: number) =>
    job({ completionMode: "Indexed", completions, parallelism });
  assert.deepEqual(validateJobUpdate(indexed(3, 3), indexed(2, 2)), []);
  assert.deepEqual(texts(validateJobUpdate(indexed(3, 2), indexed(2, 2))), [
    "spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism",
  ]);
  assert.deepEqual(texts(validateJobUpdate(job({ completions: 3 }), job({ completions: 2 }))), [
    "spec.completions: Invalid value: 3: field is immutable",
  ]);
});

test("where the pods go can be changed while the job is suspended and has never run", () => {
  const moved = {
    spec: {
      restartPolicy: "Never",
      nodeSelector: { disk: "ssd" },
      tolerations: [{ key: "k" }],
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
    },
  };
  assert.deepEqual(validateJobUpdate(job({}, moved), job({ suspend: true })), []);
  assert.deepEqual(validateJobUpdate(job(), { ...job({ suspend: true }, moved) }), []);
  const fields = (old: JsonObject) => validateJobUpdate(job({}, moved), old).map(({ field }) => field);
  assert.deepEqual(fields(job()), ["spec.template"]);
  assert.deepEqual(fields({ ...job({ suspend: true }), status: { startTime: "2024-03-01T12:00:00Z" } }), [
    "spec.template",
  ]);
  const image = { spec: { restartPolicy: "OnFailure" } };
  assert.deepEqual(
    validateJobUpdate(job({}, image), job({ suspend: true })).map(({ field }) => field),
    ["spec.template"],
  );
});
