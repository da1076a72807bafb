import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, namesOf } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

const notANumber = 'strconv.ParseUint: parsing "-1": invalid syntax';
const invalidVersion = `resourceVersion: Invalid value: "-1": ${notANumber}`;

const refused: readonly [name: string, query: string, message: string][] = [
  ["a version that is no number", "resourceVersion=-1", invalidVersion],
  ["the same of a watch", "watch=1&resourceVersion=-1", invalidVersion],
  ["the same where the store reads it", "resourceVersion=-1&limit=1", `invalid resource version: ${invalidVersion}`],
  [
    "the same of an exact list",
    "resourceVersion=-1&resourceVersionMatch=Exact",
    `invalid resource version: ${invalidVersion}`,
  ],
  [
    "a version beyond 64 bits",
    "resourceVersion=18446744073709551616",
    'resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
  ],
  [
    "a limit beyond 64 bits",
    "limit=9223372036854775808",
    'strconv.ParseInt: parsing "9223372036854775808": value out of range',
  ],
  ["a limit that is no number", "limit=1_0", 'strconv.ParseInt: parsing "1_0": invalid syntax'],
  ["a limit without a value", "limit=", 'strconv.ParseInt: parsing "": invalid syntax'],
  ["a timeout that is no number", "timeoutSeconds=x", 'strconv.ParseInt: parsing "x": invalid syntax'],
  [
    "a selector that cannot be read beside options that may not stand together",
    "fieldSelector=x&sendInitialEvents=true",
    "invalid selector: 'x'; can't understand 'x'",
  ],
  ["a token that is no base64", "continue=e30%3D", tokenProblem("illegal base64 data at input byte 3")],
  ["a token that is no JSON", "continue=abc", tokenProblem("invalid character 'i' looking for beginning of value")],
  [
    "a token that begins with no character",
    "continue=nonsense",
    tokenProblem("invalid character '\\u009e' looking for beginning of value"),
  ],
  ["a token of another version", token({ v: "x" }), tokenProblem("server does not recognize this encoded version x")],
  [
    "a token without a version of the list",
    token({ v: "meta.k8s.io/v1" }),
    tokenProblem("incorrect encoded start resourceVersion (version meta.k8s.io/v1)"),
  ],
  [
    "a token without a key",
    token({ v: "meta.k8s.io/v1", rv: 2 }),
    tokenProblem("encoded start key empty (version meta.k8s.io/v1)"),
  ],
  ["a token that leads out of the list", token({ v: "meta.k8s.io/v1", rv: 2, start: "../x" }), tokenProblem("../x")],
  [
    "a token with a text for a number",
    token({ v: "meta.k8s.io/v1", rv: "2" }),
    tokenProblem("json: cannot unmarshal string into Go struct field continueToken.rv of type int64"),
  ],
];

function token(document: object): string {
  return `continue=${Buffer.from(JSON.stringify(document)).toString("base64url")}`;
}

function tokenProblem(detail: string): string {
  return `invalid continue token: continue key is not valid: ${detail}`;
}

const podTemplate = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };

describe("Options of lists and watches", { concurrency: true }, () => {
  let client: ApiClient;
  let namespace: string;
  before(async () => {
    client = await serverWith();
    namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
  });

  for (const [name, query, message] of refused) {
    it(`${name} is a bad request, in the words of v1.29`, async () => {
      const answer = await client.get(configMapsPath(namespace, "", query));
      assertStatus(answer, { code: 400, reason: "BadRequest", message });
    });
  }

  for (const [query, message] of [
    ["resourceVersionMatch=NotOlderThan", "resourceVersionMatch is forbidden unless resourceVersion is provided"],
    [
      "resourceVersionMatch=NotOlderThan&watch=true",
      "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    ],
    [
      "resourceVersion=0&resourceVersionMatch=Exact",
      'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    ["sendInitialEvents=true", "sendInitialEvents is forbidden for list"],
  ] as const) {
    it(`a watch by its path with ${query} is refused by the rules of ${query.endsWith("watch=true") ? "watches" : "lists"}`, async () => {
      const answer = await client.get(`/api/v1/watch/namespaces/${namespace}/configmaps?timeoutSeconds=1&${query}`);
      assert.equal(answer.status, 422);
      const { details } = answer.document as unknown as { details: { causes: readonly { message: string }[] } };
      assert.deepEqual(
        details.causes.map((cause) => cause.message),
        [`Forbidden: ${message}`],
      );
    });
  }

  it("a watch by its path takes a version that must not be older, as a list does", async () => {
    const query = "resourceVersion=0&resourceVersionMatch=NotOlderThan&timeoutSeconds=1&fieldSelector=metadata.name=a";
    const answer = await client.get(`/api/v1/watch/namespaces/${namespace}/configmaps?${query}`);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /^\{"type":"ADDED","object":\{.*"name":"a"/);
  });

  it("a watch of a named object refuses a field selector that does not name it", async () => {
    const path = `/api/v1/watch/namespaces/${namespace}/configmaps/a?timeoutSeconds=1&fieldSelector=`;
    for (const selector of ["metadata.name=b", `metadata.namespace=${namespace}`, "metadata.name!=b"]) {
      assertStatus(await client.get(path + encodeURIComponent(selector)), {
        code: 400,
        reason: "BadRequest",
        message: "fieldSelector metadata.name doesn't match requested name",
      });
    }
    const named = await client.get(`${path}metadata.name=a`);
    assert.equal(named.status, 200);
    assert.match(named.text, /^\{"type":"ADDED",[^\n]*\n$/);
  });

  it("a page that is full has a next one wherever objects are left, selected or not", async () => {
    const selector = "limit=1&fieldSelector=metadata.name!=b,metadata.name!=c,metadata.name!=kube-root-ca.crt";
    const first = (await client.get(configMapsPath(namespace, "", selector))).document;
    assert.deepEqual(namesOf(first), ["a"]);
    const rest = await client.get(configMapsPath(namespace, "", `${selector}&continue=${first.metadata.continue}`));
    assert.deepEqual(namesOf(rest.document), []);
    assert.equal(rest.document.metadata.continue, undefined);
    const named = await client.get(configMapsPath(namespace, "", "limit=1&fieldSelector=metadata.name=a"));
    assert.equal(named.document.metadata.continue, undefined);
  });

  it("a list of any version comes at once, whatever the limit", async () => {
    const answer = await client.get(
      configMapsPath(namespace, "", "limit=1&resourceVersion=0&fieldSelector=metadata.name!=kube-root-ca.crt"),
    );
    assert.deepEqual(namesOf(answer.document), ["a", "b", "c"]);
    assert.equal(answer.document.metadata.continue, undefined);
  });

  it("pairs of the query that are misshapen are taken for not sent", async () => {
    for (const query of ["limit=%zz", "limit=1;a=b", "labelSelector=%zz"]) {
      const answer = await client.get(configMapsPath(namespace, "", `${query}&fieldSelector=metadata.name=b`));
      assert.deepEqual(namesOf(answer.document), ["b"], query);
    }
  });

  it("a token tells a key relative to what was listed, so that other servers can go on with it", async () => {
    const first = await client.get(configMapsPath(namespace, "", "limit=2"));
    const { v, start } = JSON.parse(Buffer.from(first.document.metadata.continue ?? "", "base64url").toString());
    assert.deepEqual({ v, start }, { v: "meta.k8s.io/v1", start: "b\0" });
    const everywhere = await client.get(
      `/api/v1/configmaps?limit=2&labelSelector=no!=no&fieldSelector=metadata.namespace=${namespace}`,
    );
    const position = JSON.parse(Buffer.from(everywhere.document.metadata.continue ?? "", "base64url").toString());
    assert.equal(position.start, "b\0", "the field selector names a namespace");
    const others = await client.get(
      `/api/v1/configmaps?limit=2&labelSelector=no!=no&fieldSelector=metadata.namespace!=kube-system,metadata.name!=c`,
    );
    const other = JSON.parse(Buffer.from(others.document.metadata.continue ?? "", "base64url").toString());
    assert.match(other.start, /^[a-z0-9-]+\/.+\0$/);
  });

  it("a list of all namespaces ends with the one that its field selector names", async () => {
    const later = `${namespace}-later`;
    await client.post("/api/v1/namespaces", { metadata: { name: later } });
    for (const name of [namespace, later]) {
      await client.post(`/api/v1/namespaces/${name}/podtemplates`, {
        metadata: { name: "one" },
        template: podTemplate,
      });
    }
    const path = `/api/v1/podtemplates?limit=1&fieldSelector=metadata.namespace=${namespace}`;
    const { document } = await client.get(path);
    assert.deepEqual(namesOf(document), ["one"]);
    assert.equal(document.metadata.continue, undefined);
  });

  it("a token may start at any key, and without a version it goes on with what is newest", async () => {
    const rest = await client.get(
      configMapsPath(namespace, "", `${token({ v: "meta.k8s.io/v1", rv: -1, start: "/b" })}&limit=2`),
    );
    assert.deepEqual(namesOf(rest.document), ["b", "c"]);
  });

  it("what is not in the version of an event's API cannot be selected by", async () => {
    const answer = await client.get("/apis/events.k8s.io/v1/events?fieldSelector=involvedObject.kind=Pod");
    assertStatus(answer, {
      code: 400,
      reason: "BadRequest",
      message: "field label not supported: involvedObject.kind",
    });
  });

  it("a watch in YAML is refused only after its options", async () => {
    const path = configMapsPath(namespace, "", "watch=1&resourceVersion=x");
    const wrong = await client.get(path, { accept: "application/yaml" });
    assert.equal(wrong.status, 400);
    const answer = await client.get(configMapsPath(namespace, "", "watch=1"), { accept: "application/yaml" });
    assert.equal(answer.status, 406);
  });
});
