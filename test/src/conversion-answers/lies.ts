import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";

/** Answer that a webhook sends instead of the truth: JSON, or any other bytes over HTTP. */
export interface Told {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
  /** Ends the connection after so many bytes of the body. */
  readonly endAfter?: number;
  /** Waits so long before it answers. */
  readonly afterMs?: number;
}

/** Makes of a true answer, of which it may change everything, what is said. */
export type Lie = (answer: JsonObject) => Told;

/** The answer with a change. */
function changed(change: (answer: JsonObject) => JsonValue | undefined): Lie {
  return (answer) => ({ body: JSON.stringify(change(answer) ?? answer) });
}

function raw(body: string, more: Omit<Told, "body"> = {}): Lie {
  return () => ({ body, ...more });
}

function inResponse(change: (response: JsonObject) => void): Lie {
  return changed((answer) => {
    change(answer["response"] as JsonObject);
    return answer;
  });
}

function inObjects(change: (objects: JsonObject[]) => void): Lie {
  return inResponse((response) => change(response["convertedObjects"] as JsonObject[]));
}

/** Returns the lie that changes the first object. */
function inObject(change: (object: JsonObject) => void): Lie {
  return inObjects(([first]) => change(first as JsonObject));
}

function inMetadata(members: JsonObject): Lie {
  return inObject((object) => {
    const metadata = object["metadata"] as JsonObject;
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined) {
        delete metadata[name];
      } else {
        metadata[name] = value;
      }
    }
  });
}

function replaced(what: string, by: string): Lie {
  return (answer) => ({ body: JSON.stringify(answer).replace(what, by) });
}

const many = "x".repeat(300_000);
const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

/** Lie that is longer than Gatehouse reads of an answer; v1.29 reads it to its end. */
export const endlessLie: Lie = inObject((object) => {
  (object["spec"] as JsonObject)["more"] = many.repeat(60);
});

/** Faults of a conversion webhook, by name. */
export const lies: Readonly<Record<string, Lie>> = {
  "the truth": changed(() => undefined),
  // What is no answer.
  "no body": raw(""),
  "no JSON": raw("<html>"),
  null: raw("null"),
  "a list": raw("[]"),
  "a text": raw('"x"'),
  "a number": raw("1"),
  "an empty object": raw("{}"),
  "half an answer": (answer) => ({ body: JSON.stringify(answer).slice(0, 150) }),
  "an answer and more": (answer) => ({ body: `${JSON.stringify(answer)}x` }),
  "an answer twice": (answer) => ({ body: JSON.stringify(answer).repeat(2) }),
  "an answer behind spaces": (answer) => ({ body: ` \n${JSON.stringify(answer)}\n` }),
  "a connection that ends": (answer) => ({ body: JSON.stringify(answer), endAfter: 50 }),
  "another media type": (answer) => ({ body: JSON.stringify(answer), type: "text/plain" }),
  "no media type": (answer) => ({ body: JSON.stringify(answer), type: "" }),
  "201": (answer) => ({ body: JSON.stringify(answer), status: 201 }),
  "206": (answer) => ({ body: JSON.stringify(answer), status: 206 }),
  "207": (answer) => ({ body: JSON.stringify(answer), status: 207 }),
  "400": raw("bad", { status: 400, type: "text/plain" }),
  "401": raw("", { status: 401, type: "text/plain" }),
  "403": raw("no", { status: 403, type: "text/plain" }),
  "404": raw("404 page not found", { status: 404, type: "text/plain" }),
  "404 with the answer": (answer) => ({ body: JSON.stringify(answer), status: 404 }),
  "405": raw("", { status: 405, type: "text/plain" }),
  "409": raw("", { status: 409, type: "text/plain" }),
  "422": raw("", { status: 422, type: "text/plain" }),
  "429": raw("", { status: 429, type: "text/plain" }),
  "500": raw("broken", { status: 500, type: "text/plain" }),
  "500 without a word": raw("", { status: 500, type: "text/plain" }),
  "500 with a Status": raw(
    JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: "mine", reason: "Gone", code: 410 }),
    { status: 500 },
  ),
  "409 with a Status": raw(
    JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: "mine",
      reason: "Conflict",
      code: 409,
    }),
    { status: 409 },
  ),
  "200 with a Status": raw(
    JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: "mine", code: 409 }),
  ),
  "503": raw("busy", { status: 503, type: "text/plain" }),
  // The review.
  "another version of the review": changed((answer) => ({ ...answer, apiVersion: "apiextensions.k8s.io/v1beta1" })),
  "a review of another group": changed((answer) => ({ ...answer, apiVersion: "admission.k8s.io/v1" })),
  "a review of no version": changed(({ apiVersion: _, ...answer }) => answer),
  "a review whose version is a number": changed((answer) => ({ ...answer, apiVersion: 1 })),
  "another kind of review": changed((answer) => ({ ...answer, kind: "AdmissionReview" })),
  "a review of no kind": changed(({ kind: _, ...answer }) => answer),
  "a review whose kind is a list": changed((answer) => ({ ...answer, kind: [] })),
  "a review with more in it": changed((answer) => ({ ...answer, request: null, more: [1] })),
  // The response.
  "no response": changed(({ response: _, ...answer }) => answer),
  "a response of null": changed((answer) => ({ ...answer, response: null })),
  "a response that is a list": changed((answer) => ({ ...answer, response: [] })),
  "a response that is a text": changed((answer) => ({ ...answer, response: "x" })),
  "an empty response": changed((answer) => ({ ...answer, response: {} })),
  "no uid": inResponse((response) => delete response["uid"]),
  "a uid of null": inResponse((response) => {
    response["uid"] = null;
  }),
  "another uid": inResponse((response) => {
    response["uid"] = "x";
  }),
  "a uid that is a number": inResponse((response) => {
    response["uid"] = 1;
  }),
  ...Object.fromEntries(
    [
      undefined,
      null,
      {},
      { status: null },
      { status: "success" },
      { status: "Failure" },
      { status: 1 },
      [],
      "Success",
    ].map((result): [string, Lie] => [
      `the result ${JSON.stringify(result)}`,
      inResponse((response) => {
        response["result"] = result as JsonValue;
      }),
    ]),
  ),
  "a failure with a reason": inResponse((response) => {
    response["result"] = {
      status: "Failure",
      message: "cannot do",
      reason: "Invalid",
      code: 422,
      details: { name: "n" },
    };
  }),
  "a failure with a message of lines": inResponse((response) => {
    response["result"] = { status: "Failure", message: 'a\n"b" \u0000' };
  }),
  "a failure with a message that is a number": inResponse((response) => {
    response["result"] = { status: "Failure", message: 1 };
  }),
  "a success with a message": inResponse((response) => {
    response["result"] = { status: "Success", message: "well done" };
  }),
  // How many, and in which order.
  ...Object.fromEntries(
    [undefined, null, [], {}, "x", 1].map((objects): [string, Lie] => [
      `the objects ${JSON.stringify(objects)}`,
      inResponse((response) => {
        response["convertedObjects"] = objects as JsonValue;
      }),
    ]),
  ),
  "one object fewer": inObjects((objects) => objects.pop()),
  "one object more": inObjects((objects) => objects.push(objects[0] as JsonObject)),
  "objects in another order": inObjects((objects) => objects.reverse()),
  "the first object always": inObjects((objects) => objects.fill(objects[0] as JsonObject)),
  ...Object.fromEntries(
    [null, 1, "x", [], {}, true, { apiVersion: "v1" }, { kind: "Site" }].map((object): [string, Lie] => [
      `the object ${JSON.stringify(object)}`,
      inObjects((objects) => {
        objects[0] = object as JsonObject;
      }),
    ]),
  ),
  // What an object is.
  ...Object.fromEntries(
    ["apiVersion", "kind", "metadata", "spec"].flatMap((member) =>
      [undefined, null, 1, "x", [], {}].map((value): [string, Lie] => [
        `an object whose ${member} is ${JSON.stringify(value)}`,
        inObject((object) => {
          object[member] = value as JsonValue;
        }),
      ]),
    ),
  ),
  "an object of another version": inObject((object) => {
    object["apiVersion"] = "convert.example.com/v9";
  }),
  "an object of another group": inObject((object) => {
    object["apiVersion"] = "other.example.com/v2";
  }),
  "an object that is not converted": inObject((object) => {
    object["apiVersion"] =
      object["apiVersion"] === "convert.example.com/v1" ? "convert.example.com/v2" : "convert.example.com/v1";
  }),
  "a list for an object": inObject((object) => {
    object["kind"] = "SiteList";
    object["items"] = [];
  }),
  "an object with items": inObject((object) => {
    object["items"] = [{}];
  }),
  // What of its metadata is not the webhook's.
  ...Object.fromEntries(
    ["name", "namespace", "uid"].flatMap((member) =>
      [undefined, null, "", "x", 1, {}].map((value): [string, Lie] => [
        `a ${member} of ${JSON.stringify(value)}`,
        inMetadata({ [member]: value as JsonValue }),
      ]),
    ),
  ),
  "other members of the metadata": inMetadata({
    resourceVersion: "1",
    generation: 77,
    creationTimestamp: "2001-01-01T00:00:00Z",
    deletionTimestamp: "2001-01-01T00:00:00Z",
    finalizers: ["example.com/f"],
    ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }],
    managedFields: [],
    generateName: "g-",
    selfLink: "/",
    more: { a: 1 },
  }),
  "other members of the metadata of the wrong types": inMetadata({
    resourceVersion: 1,
    generation: "x",
    finalizers: "x",
    ownerReferences: [1],
    managedFields: { a: 1 },
  }),
  // What is the webhook's.
  ...Object.fromEntries(
    ["labels", "annotations"].flatMap((member) =>
      [
        undefined,
        null,
        {},
        [],
        "x",
        1,
        { a: 1 },
        { a: null },
        { a: ["x"] },
        { a: {} },
        { "": "x" },
        { "a b": "x" },
        { "a/b/c": "x" },
        { a: "b c" },
        { a: "x".repeat(64) },
        { Example: "x", "example.com/a": "" },
      ].map((value): [string, Lie] => [
        `${member} ${JSON.stringify(value)}`,
        inMetadata({ [member]: value as JsonValue }),
      ]),
    ),
  ),
  "annotations that are too large": inMetadata({ annotations: { a: many } }),
  // What is in it.
  "a spec of the wrong types": inObject((object) => {
    object["spec"] = { host: 1, hostname: 1, port: "x" };
  }),
  "unknown members": inObject((object) => {
    object["more"] = { a: 1 };
    (object["spec"] as JsonObject)["more"] = [1];
  }),
  "a status": inObject((object) => {
    object["status"] = { a: 1 };
  }),
  "a huge spec": inObject((object) => {
    (object["spec"] as JsonObject)["more"] = many.repeat(10);
  }),
  "a deep spec": replaced('"spec":{', `"spec":{"more":${deep(5000)},`),
  "a member __proto__": replaced(
    '"spec":{',
    '"__proto__":{"a":1},"spec":{"__proto__":{"host":"polluted"},"constructor":1,',
  ),
  "metadata with __proto__": replaced(
    '"metadata":{',
    '"metadata":{"__proto__":{"name":"x"},"constructor":{"prototype":{}},',
  ),
  "labels with __proto__": replaced('"metadata":{', '"metadata":{"labels":{"__proto__":"x","constructor":"y"},'),
  "a number beyond all numbers": replaced('"spec":{', '"spec":{"more":1e400,'),
  "a number beyond int64": replaced('"spec":{', '"spec":{"port":12345678901234567890,'),
  "a member twice": replaced('"spec":{', '"spec":{"host":"other","hostname":"other",'),
};
