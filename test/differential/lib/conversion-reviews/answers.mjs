// Answers of conversion webhooks drawn at random: a true one with one to three changes, or no answer at all.
import { truth } from "./kinds.mjs";

/** Returns a function of a review that makes what a stand-in sends. */
export function drawAnswer(r) {
  if (r.chance(0.15)) return drawTransport(r);
  const changes = Array.from({ length: r.pick([1, 1, 1, 2, 3]) }, () => r.pick(allChanges)(r));
  return (review) => {
    let answer = truth(review);
    for (const change of changes) answer = change(answer, review) ?? answer;
    return { body: JSON.stringify(answer) };
  };
}

function drawTransport(r) {
  const status = r.pick([200, 200, 201, 204, 400, 403, 404, 406, 409, 415, 422, 500, 503, 504]);
  const type = r.pick([
    "application/json",
    "application/json",
    "text/plain",
    "odd type",
    "application/json; a",
    undefined,
  ]);
  const told = {
    kind: "Status",
    apiVersion: r.pick(["v1", "v9"]),
    status: "Failure",
    message: r.pick(["told", ""]),
    code: 409,
  };
  const body = r.pick(["", "text", "{", "null", "[]", JSON.stringify(told), undefined, undefined]);
  const isClosed = r.chance(0.1);
  return (review) => {
    if (isClosed) return "close";
    if (status === 204) return { status, headers: {}, body: "" };
    return {
      status,
      headers: type === undefined ? {} : { "content-type": type },
      body: body ?? JSON.stringify(truth(review)),
    };
  };
}

const inResponse = (change) => (r) => {
  const drawn = change(r);
  return (answer, review) => {
    if (answer.response !== null && typeof answer.response === "object") drawn(answer.response, review);
  };
};
const inObjects = (change) =>
  inResponse((r) => {
    const drawn = change(r);
    return (response, review) => {
      if (Array.isArray(response.convertedObjects)) drawn(response.convertedObjects, review);
    };
  });
const inObject = (change) =>
  inObjects((r) => {
    const drawn = change(r);
    const isLast = r.chance(0.5);
    return (objects) => {
      const object = isLast ? objects.at(-1) : objects[0];
      if (object !== null && typeof object === "object") drawn(object);
    };
  });

const metadataMembers = {
  name: ["other", "", undefined, 5],
  generateName: ["g-"],
  namespace: ["other", undefined, ""],
  uid: ["other", undefined, ""],
  resourceVersion: ["1", "other", undefined],
  generation: [7, undefined, "x"],
  creationTimestamp: ["2020-01-01T00:00:00Z", null, undefined, "odd"],
  deletionTimestamp: ["2020-01-01T00:00:00Z"],
  deletionGracePeriodSeconds: [3],
  selfLink: ["/self"],
  labels: [{ by: "webhook" }, {}, null, undefined, { "odd key!": "v" }, { a: 1 }, "text", []],
  annotations: [{ by: "webhook" }, undefined, { "": "v" }, { a: null }, "text"],
  finalizers: [["example.com/new"], [], null, undefined, "text"],
  ownerReferences: [[{ apiVersion: "v1", kind: "K", name: "n", uid: "u" }], [], undefined],
  managedFields: [[], undefined, null],
  unheard: ["of"],
};

const setOrDelete = (object, name, value) => {
  if (value === undefined) delete object[name];
  else object[name] = value;
};

const inMetadata = inObject((r) => {
  const name = r.pick(Object.keys(metadataMembers));
  const value = r.pick(metadataMembers[name]);
  return ({ metadata }) => {
    if (metadata !== null && typeof metadata === "object") setOrDelete(metadata, name, value);
  };
});

const member = (name, values) =>
  inObject((r) => {
    const value = r.pick(values);
    return (object) => setOrDelete(object, name, value);
  });

const inReview = (r) => {
  const name = r.pick(["apiVersion", "kind", "response"]);
  const value = r.pick(
    {
      apiVersion: [
        "apiextensions.k8s.io/v1",
        "apiextensions.k8s.io/v1beta1",
        "apiextensions.k8s.io/v7",
        "v1",
        "",
        undefined,
        5,
        null,
      ],
      kind: ["Status", "Pod", "", undefined, 5, "APIGroup"],
      response: [null, undefined, {}, [], "x"],
    }[name],
  );
  return (answer) => setOrDelete(answer, name, value);
};

const uid = inResponse((r) => {
  const value = r.pick(["other", "", undefined, null, 5]);
  return (response) => setOrDelete(response, "uid", value);
});

const result = inResponse((r) => {
  const value = r.pick([
    undefined,
    null,
    {},
    "x",
    { status: "Failure" },
    { status: "Failure", message: "no" },
    { status: "Failure", reason: "Forbidden", code: 403 },
    { status: "Failure", message: "no", reason: "Odd", code: 418, details: { name: "n" } },
    { status: "success" },
    { status: "Odd", message: "no" },
    { status: "Success", message: "unused", code: 500 },
    { Status: "Success" },
    { message: "no" },
    { code: "5" },
  ]);
  return (response) => setOrDelete(response, "result", value);
});

const list = inResponse((r) => {
  const value = r.pick([undefined, null, [], "x", {}, [null], [5], [[]], [{}], [{ apiVersion: "v1" }]]);
  return (response) => setOrDelete(response, "convertedObjects", value);
});

const order = inObjects((r) => {
  const kind = r.pick(["reversed", "twice", "first only", "one more", "none"]);
  return (objects, { request }) => {
    if (kind === "reversed") objects.reverse();
    if (kind === "twice" || kind === "one more") objects.push(structuredClone(objects[0] ?? null));
    if (kind === "first only") objects.splice(1);
    if (kind === "none") objects.splice(0, objects.length, ...structuredClone(request.objects));
  };
});

const group = "conversions.example.com";
const allChanges = [
  inReview,
  uid,
  result,
  result,
  list,
  order,
  inMetadata,
  inMetadata,
  inMetadata,
  member("apiVersion", [
    `${group}/v1`,
    `${group}/v2`,
    `${group}/v3`,
    `${group}/v9`,
    "other/v1",
    "v1",
    "",
    undefined,
    5,
    "a/b/c",
  ]),
  member("kind", ["Other", "", undefined, 5, "OneList"]),
  member("metadata", [undefined, null, {}, "x", []]),
  member("spec", [
    undefined,
    null,
    {},
    "x",
    { host: 5 },
    { hostname: "h", host: "h", more: 1 },
    { port: "x" },
    { port: 1.5 },
    { port: 81 },
  ]),
  member("status", [{ phase: "A" }, { phase: 5 }, null, { more: 1 }]),
  member("unheard", ["of", { a: 1 }]),
];
