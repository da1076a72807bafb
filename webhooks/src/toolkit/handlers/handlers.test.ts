import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { coreV1 } from "@gatehouse/envelopes/types";
import { type AdmissionDecision, allow, deny, patch } from "../decision/decision.js";
import { emptyLookup } from "../lookup/lookup.js";
import type { AdmissionRequest } from "./admission-request.js";
import { all } from "./all.js";
import { chain } from "./chain.js";
import type { Handler } from "./handler.js";
import { mutator } from "./mutator.js";
import { validator } from "./validator.js";
import { when } from "./when.js";

const pod: coreV1.Pod = { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "i:latest" }] } };

function requestFor(operation: AdmissionRequest["operation"], object: object = pod): AdmissionRequest {
  return {
    uid: "u",
    kind: { group: "", version: "v1", kind: "Pod" },
    resource: { group: "", version: "v1", resource: "pods" },
    operation,
    object: operation === "DELETE" ? undefined : object,
    oldObject: operation === "UPDATE" || operation === "DELETE" ? object : undefined,
  } as unknown as AdmissionRequest;
}

const context = { signal: new AbortController().signal, lookup: emptyLookup };

async function decide(handler: Handler, operation: AdmissionRequest["operation"] = "CREATE", object?: object) {
  return await handler(requestFor(operation, object), context);
}

function outcomeOf(decision: AdmissionDecision): object {
  const { warnings, auditAnnotations } = decision;
  return decision.allowed
    ? { allowed: true, patch: decision.patch, warnings, auditAnnotations }
    : { allowed: false, message: decision.status.message, warnings, auditAnnotations };
}

const label = (key: string): Handler =>
  mutator<coreV1.Pod>((draft) => {
    draft.metadata ??= {};
    draft.metadata.labels = {
      ...draft.metadata.labels,
      [key]: String(Object.keys(draft.metadata.labels ?? {}).length),
    };
  });

test("decisions are values: what is added to one leaves it as it was", () => {
  const plain = allow();
  const warned = plain.withWarnings("a").withWarnings("b", "c").withAuditAnnotations({ k: "1" });
  assert.deepEqual(outcomeOf(plain), { allowed: true, patch: [], warnings: [], auditAnnotations: {} });
  assert.deepEqual(outcomeOf(warned), {
    allowed: true,
    patch: [],
    warnings: ["a", "b", "c"],
    auditAnnotations: { k: "1" },
  });
});

test("a denial is a Status of 403 unless it says otherwise", () => {
  assert.deepEqual(deny("no").status, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "no",
    reason: "Forbidden",
    code: 403,
  });
  const causes = [{ field: "spec", message: "wrong" }];
  const { code, reason, details } = deny("no", { code: 422, reason: "Invalid", details: { causes } }).status;
  assert.deepEqual([code, reason, details], [422, "Invalid", { causes }]);
});

test("a validator of one function judges what is created or updated, and allows the rest", async () => {
  const handler = validator<coreV1.Pod>((object, request) => deny(`${request.operation} ${object.metadata?.name}`));
  const messages = [];
  for (const operation of ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const) {
    messages.push(outcomeOf(await decide(handler, operation)));
  }
  assert.deepEqual(
    messages.map((outcome) => ("message" in outcome ? outcome.message : "allowed")),
    ["CREATE a", "UPDATE a", "allowed", "allowed"],
  );
});

test("a validator by operation gets what there is: the object, the old one, options", async () => {
  const handler = validator<coreV1.Pod>({
    update: (object, oldObject) => (object === oldObject ? deny("same") : allow()),
    delete: (oldObject) => deny(`keep ${oldObject.metadata?.name}`),
    connect: (options) => deny(`no ${JSON.stringify(options)}`),
  });
  assert.equal((await decide(handler, "CREATE")).allowed, true);
  assert.deepEqual(outcomeOf(await decide(handler, "UPDATE")), outcomeOf(deny("same")));
  assert.deepEqual(outcomeOf(await decide(handler, "DELETE")), outcomeOf(deny("keep a")));
  assert.deepEqual(outcomeOf(await decide(handler, "CONNECT", { tty: true })), outcomeOf(deny('no {"tty":true}')));
});

test("a mutator changes its draft only, and the patch is computed", async () => {
  const before = structuredClone(pod);
  const decision = await decide(label("x"));
  assert.deepEqual(outcomeOf(decision), {
    allowed: true,
    patch: [{ op: "add", path: "/metadata/labels", value: { x: "0" } }],
    warnings: [],
    auditAnnotations: {},
  });
  assert.deepEqual(pod, before);
});

test("a mutator may warn or deny, and what it has changed before a denial is void", async () => {
  const warning = mutator<coreV1.Pod>((draft) => {
    delete draft.metadata;
    return allow().withWarnings("gone");
  });
  assert.deepEqual(outcomeOf(await decide(warning)), {
    allowed: true,
    patch: [{ op: "remove", path: "/metadata" }],
    warnings: ["gone"],
    auditAnnotations: {},
  });
  const denying = mutator<coreV1.Pod>((draft) => {
    delete draft.metadata;
    return deny("no");
  });
  assert.deepEqual(outcomeOf(await decide(denying)), outcomeOf(deny("no")));
});

test("a mutator has nothing to do with deletions and connections", async () => {
  assert.deepEqual(outcomeOf(await decide(label("x"), "DELETE")), outcomeOf(allow()));
  assert.deepEqual(outcomeOf(await decide(label("x"), "CONNECT")), outcomeOf(allow()));
});

test("what a draft must not become is a failure to decide, not a decision", async () => {
  const broken = mutator<JsonObject>((draft) => {
    Object.assign(draft, { when: new Date(0) });
  });
  await assert.rejects(decide(broken), new TypeError("/when is an instance of Date, which JSON cannot carry"));
  const both = mutator(() => patch([{ op: "remove", path: "/a" }]));
  await assert.rejects(decide(both), /must not return a patch as well/);
});

test("a key __proto__ in a draft is data", async () => {
  const object = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}');
  const decision = await decide(label("y"), "CREATE", object);
  assert.deepEqual(decision.allowed && decision.patch, [{ op: "add", path: "/metadata/labels/y", value: "1" }]);
});

test("chained mutators see each other's result, and the patch leads from the first object to the last", async () => {
  assert.deepEqual(outcomeOf(await decide(chain(label("a"), label("b"), label("c")))), {
    allowed: true,
    patch: [{ op: "add", path: "/metadata/labels", value: { a: "0", b: "1", c: "2" } }],
    warnings: [],
    auditAnnotations: {},
  });
});

test("what a chain undoes is not in its patch", async () => {
  const undo = mutator<coreV1.Pod>((draft) => {
    delete draft.metadata?.labels;
  });
  assert.deepEqual(outcomeOf(await decide(chain(label("a"), undo))), outcomeOf(allow()));
});

test("the first denial ends a chain; warnings of those that were asked are kept", async () => {
  let asked = 0;
  const warn: Handler = () => allow().withWarnings("first").withAuditAnnotations({ a: "1" });
  const no: Handler = () => deny("no", { code: 422 }).withWarnings("second").withAuditAnnotations({ a: "2" });
  const never: Handler = () => {
    asked++;
    return allow();
  };
  const decision = await decide(chain(label("x"), warn, no, never));
  assert.deepEqual(outcomeOf(decision), {
    allowed: false,
    message: "no",
    warnings: ["first", "second"],
    auditAnnotations: { a: "2" },
  });
  assert.equal(asked, 0);
});

test("a patch that does not apply is a failure of the hook that made it", async () => {
  const wrong: Handler = () => patch([{ op: "remove", path: "/nothing/here" }]);
  await assert.rejects(decide(chain(wrong)), { message: "the patch does not apply: the path leads nowhere" });
});

test("all() tells all denials together", async () => {
  const first: Handler = () => deny("one", { code: 422, reason: "Invalid", details: { causes: [{ field: "a" }] } });
  const second: Handler = () => deny("two", { details: { causes: [{ field: "b" }] } }).withWarnings("w");
  const decision = await decide(all(first, () => allow().withAuditAnnotations({ k: "v" }), second));
  assert.deepEqual(outcomeOf(decision), {
    allowed: false,
    message: "one; two",
    warnings: ["w"],
    auditAnnotations: { k: "v" },
  });
  assert.deepEqual(!decision.allowed && decision.status.details?.causes, [{ field: "a" }, { field: "b" }]);
});

test("in all() a denial outweighs a failure, and a failure outweighs what is allowed", async () => {
  const fails: Handler = () => {
    throw new Error("broken");
  };
  assert.equal((await decide(all(fails, () => deny("no")))).allowed, false);
  await assert.rejects(decide(all(() => allow(), fails)), { message: "broken" });
  await assert.rejects(decide(all(label("x"))), /use chain\(\)/);
});

test("when() asks only about what concerns the handler", async () => {
  const handler = when(
    ({ operation }) => operation === "DELETE",
    () => deny("no"),
  );
  assert.equal((await decide(handler, "CREATE")).allowed, true);
  assert.equal((await decide(handler, "DELETE")).allowed, false);
});
