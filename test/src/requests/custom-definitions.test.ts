import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import type { WatchDocument } from "../spec/support/api-document.js";
import { conditionsOf, define, definitionsPath, sampleDefinition, send } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const pageNotFound = { status: 404, text: "404 page not found\n" };

const accepted = {
  NamesAccepted: "True NoConflicts: no conflicts found",
  Established: "True InitialNamesAccepted: the initial names have been accepted",
};

function object(kind: string, group: string, name: string, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { name, ...metadata }, spec: { cron: "*" } };
}

async function gone(server: ControlPlane, name: string): Promise<void> {
  await until(`${name} is gone`, async () => (await send(server, "GET", `${definitionsPath}/${name}`)).status === 404);
}

describe("definitions of custom resources", { concurrency: true }, () => {
  let server: ControlPlane;
  before(async () => {
    server = await startTestServer();
  });
  after(async () => await server.stop());

  it("are established, and then their resources are in discovery and answer", async () => {
    const group = "serving.example.com";
    await define(server, sampleDefinition("crontabs", "CronTab", group));
    assert.deepEqual(await conditionsOf(server, `crontabs.${group}`), accepted);
    assert.deepEqual((await send(server, "GET", `/apis/${group}/v1`)).body, {
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: `${group}/v1`,
      resources: [
        {
          name: "crontabs",
          singularName: "crontab",
          namespaced: true,
          kind: "CronTab",
          verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
          storageVersionHash: "gRTymNV6vKM=",
        },
      ],
    });
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    assert.equal((await send(server, "POST", path, object("CronTab", group, "a"))).status, 201);
    assert.equal((await send(server, "GET", `${path}/a`)).status, 200);
    const { text } = await send(server, "GET", "/openapi/v3");
    assert.ok(text.includes(`"apis/${group}/v1"`));
  });

  it("have resources that answer to HEAD, and tell the keys of their objects in full", async () => {
    const group = "heads.example.com";
    await define(server, sampleDefinition("crontabs", "CronTab", group));
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    await send(server, "POST", path, object("CronTab", group, "a"));
    for (const rest of ["", "?watch=1&timeoutSeconds=1", "/a"]) {
      assert.equal((await send(server, "HEAD", `${path}${rest}`)).status, 200, rest);
    }
    const refused = await send(server, "PUT", `${path}/a`, object("CronTab", group, "a", { uid: "other" }));
    assert.equal(refused.status, 409);
    assert.match(String(refused.body["message"]), new RegExp(`, Key: /registry/${group}/crontabs/default/a, `));
  });

  it("have their subresources in discovery in order, with group and version in the aggregated document", async () => {
    const group = "discovered.example.com";
    const schema = { openAPIV3Schema: { type: "object" } };
    const subresources = { status: {}, scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a" } };
    // What is stored in a version that is not served has no hash.
    const versions = [
      { name: "v1", served: true, storage: false, schema, subresources },
      { name: "v2", served: false, storage: true, schema },
    ];
    await define(server, sampleDefinition("crontabs", "CronTab", group, { versions }));
    const { resources } = (await send(server, "GET", `/apis/${group}/v1`)).body as { resources: JsonObject[] };
    assert.deepEqual(
      resources.map(({ name, storageVersionHash }) => [name, storageVersionHash]),
      ["crontabs", "crontabs/status", "crontabs/scale"].map((name) => [name, undefined]),
    );
    const accept = "application/json;v=v2beta1;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList";
    using client = createApiClient(server.clientConfig);
    const answer = await client.get("/apis", { accept });
    const found = (answer.document as unknown as { items: JsonObject[] }).items.find(
      ({ metadata }) => (metadata as JsonObject)["name"] === group,
    );
    const own = { group, version: "v1", kind: "CronTab" };
    const entry = (name: string, responseKind: JsonObject) => ({
      ...{ subresource: name, responseKind, verbs: ["get", "patch", "update"] },
    });
    assert.deepEqual(found?.["versions"], [
      {
        version: "v1",
        resources: [
          {
            resource: "crontabs",
            responseKind: own,
            scope: "Namespaced",
            singularResource: "crontab",
            verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
            subresources: [
              entry("status", own),
              entry("scale", { group: "autoscaling", version: "v1", kind: "Scale" }),
            ],
          },
        ],
        freshness: "Current",
      },
    ]);
  });

  it("leave everything beside what they define to a page in plain text", async () => {
    const group = "beside.example.com";
    await define(server, sampleDefinition("crontabs", "CronTab", group));
    for (const path of [
      `/apis/${group}/v2`,
      `/apis/${group}/v2/crontabs`,
      `/apis/${group}/v1/widgets`,
      `/apis/${group}/v1/crontabs/a`,
      "/apis/other.example.com/v1",
      "/apis/other.example.com",
    ]) {
      const { status, text } = await send(server, "GET", path);
      assert.deepEqual({ status, text }, pageNotFound, path);
    }
    const { status, body } = await send(server, "GET", `/apis/${group}/v1/namespaces/default/crontabs/a/scale`);
    assert.equal(status, 404);
    assert.equal(body["message"], `crontabs.${group} "a" not found`);
  });

  it("wait for names that another one of their group has, and get them when it goes", async () => {
    const group = "names.example.com";
    await define(
      server,
      sampleDefinition("foos", "Foo", group, { names: { plural: "foos", kind: "Foo", shortNames: ["f", "fo"] } }),
    );
    const second = sampleDefinition("bars", "Foo", group, {
      names: { plural: "bars", singular: "foo", kind: "Foo", shortNames: ["f", "fo", "b"] },
    });
    assert.equal((await send(server, "POST", definitionsPath, second)).status, 201);
    await until(
      "the names are looked at",
      async () => "NamesAccepted" in (await conditionsOf(server, `bars.${group}`)),
    );
    assert.deepEqual(await conditionsOf(server, `bars.${group}`), {
      NamesAccepted: 'False ListKindConflict: "FooList" is already in use',
      Established: "False NotAccepted: not all names are accepted",
    });
    const { text, status } = await send(server, "GET", `/apis/${group}/v1/bars`);
    assert.deepEqual({ status, text }, pageNotFound);
    assert.equal((await send(server, "DELETE", `${definitionsPath}/foos.${group}`)).status, 200);
    await until(
      "the second one is served",
      async () => (await send(server, "GET", `/apis/${group}/v1/bars`)).status === 200,
    );
    assert.deepEqual(await conditionsOf(server, `bars.${group}`), accepted);
  });

  it("go after their objects, and take no new ones meanwhile; then watches end", async () => {
    const group = "ending.example.com";
    const name = `crontabs.${group}`;
    await define(server, sampleDefinition("crontabs", "CronTab", group));
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    await send(server, "POST", path, object("CronTab", group, "a", { finalizers: ["example.com/held"] }));
    await send(server, "POST", path, object("CronTab", group, "b"));
    const watched = send(server, "GET", `${path}?watch=1&resourceVersion=0`);
    const deleted = await send(server, "DELETE", `${definitionsPath}/${name}`);
    const { deletionTimestamp, finalizers, generation } = deleted.body["metadata"] as JsonObject;
    assert.deepEqual(
      { status: deleted.status, kind: deleted.body["kind"], finalizers, generation },
      {
        status: 200,
        kind: "CustomResourceDefinition",
        finalizers: ["customresourcecleanup.apiextensions.k8s.io"],
        generation: 1,
      },
    );
    assert.equal(typeof deletionTimestamp, "string");
    await until("its objects are being deleted", async () => {
      const { Terminating } = await conditionsOf(server, name);
      return Terminating === "True InstanceDeletionInProgress: CustomResource deletion is in progress";
    });
    const refused = await until("nothing new is made", async () => {
      const answer = await send(server, "POST", path, object("CronTab", group, "c"));
      return answer.status === 405 && answer;
    });
    assert.deepEqual(refused.body, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "create not allowed while custom resource definition is terminating",
      reason: "MethodNotAllowed",
      details: { group, kind: "crontabs" },
      code: 405,
    });
    await send(server, "PATCH", `${path}/a`, { metadata: { finalizers: null } });
    await gone(server, name);
    const events = (await watched).text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    const types = events.map(({ type }) => type);
    assert.deepEqual(
      types.slice().sort(),
      ["ADDED", "ADDED", "DELETED", "DELETED", "MODIFIED"],
      "and no error at its end",
    );
    await until("nothing is served any more", async () => {
      const { status, text } = await send(server, "GET", path);
      return status === 404 && text === pageNotFound.text;
    });
  });

  it("that were never established go at once, and say so", async () => {
    const group = "never.example.com";
    await define(server, sampleDefinition("foos", "Foo", group));
    const second = sampleDefinition("bars", "Foo", group);
    await send(server, "POST", definitionsPath, {
      ...second,
      metadata: { name: `bars.${group}`, finalizers: ["example.com/held"] },
    });
    await until(
      "the names are looked at",
      async () => "NamesAccepted" in (await conditionsOf(server, `bars.${group}`)),
    );
    const deleted = await send(server, "DELETE", `${definitionsPath}/bars.${group}`);
    await until("it is let go", async () => {
      const { Terminating } = await conditionsOf(server, `bars.${group}`);
      return Terminating === "False NeverEstablished: resource was never established";
    });
    const { resourceVersion } = deleted.body["metadata"] as JsonObject;
    const since = `watch=1&timeoutSeconds=1&resourceVersion=${String(resourceVersion)}`;
    const { text } = await send(server, "GET", `${definitionsPath}?${since}&fieldSelector=metadata.name=bars.${group}`);
    const [first] = text.split("\n", 1);
    assert.match(String(first), /"reason":"InstanceDeletionInProgress"/, "before, its cleanup begins");
    await send(server, "PATCH", `${definitionsPath}/bars.${group}`, { metadata: { finalizers: null } });
    await gone(server, `bars.${group}`);
  });

  it("made anew under the same name know nothing of the objects before", async () => {
    const group = "anew.example.com";
    for (let round = 0; round < 3; round++) {
      await define(server, sampleDefinition("crontabs", "CronTab", group));
      const path = `/apis/${group}/v1/namespaces/default/crontabs`;
      assert.deepEqual((await send(server, "GET", path)).body["items"], []);
      assert.equal((await send(server, "POST", path, object("CronTab", group, "a"))).status, 201);
      await send(server, "DELETE", `${definitionsPath}/crontabs.${group}`);
      await gone(server, `crontabs.${group}`);
    }
  });

  it("in groups of the community tell who has approved of them", async () => {
    const group = "approved.k8s.io";
    const sample = sampleDefinition("foos", "Foo", group);
    const refused = await send(server, "POST", definitionsPath, sample);
    assert.equal(refused.status, 422);
    assert.match(String(refused.body["message"]), /protected groups must have approval annotation/);
    const annotations = { "api-approved.kubernetes.io": "unapproved, for a test" };
    await define(server, { ...sample, metadata: { name: `foos.${group}`, annotations } });
    await until("the condition is there", async () => {
      const conditions = await conditionsOf(server, `foos.${group}`);
      return (
        conditions["KubernetesAPIApprovalPolicyConformant"] ===
        'False UnapprovedAnnotation: not approved: "unapproved, for a test"'
      );
    });
  });

  it("a status that is filled in is there from the beginning, though a status that is sent is not", async () => {
    const group = "statuses.example.com";
    const status = {
      type: "object",
      default: { seen: -1 },
      properties: { seen: { type: "integer" }, phase: { type: "string" } },
    };
    const definition = sampleDefinition("jobs", "Job", group, {
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { status, zone: { type: "string" } } } },
        },
      ],
    });
    await define(server, definition);
    const path = `/apis/${group}/v1/namespaces/default/jobs`;
    const job = { apiVersion: `${group}/v1`, kind: "Job", metadata: { name: "a" }, status: { phase: "x" }, zone: "z" };
    const made = await send(server, "POST", path, job);
    assert.deepEqual([made.status, made.body["status"]], [201, { seen: -1 }]);
    assert.deepEqual(Object.keys(made.body), ["apiVersion", "kind", "metadata", "status", "zone"]);
    assert.deepEqual((await send(server, "GET", `${path}/a`)).body, made.body);
    assert.deepEqual(
      (await send(server, "POST", `${path}?dryRun=All`, { ...job, metadata: { name: "b" } })).body["status"],
      { seen: -1 },
    );
  });

  it("an apply that changes nothing fills in nothing, though the version has defaults that are not stored", async () => {
    const group = "applies.example.com";
    const text = { type: "string" };
    const schema = (properties: JsonObject): JsonObject => ({
      openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
    });
    await define(
      server,
      sampleDefinition("jobs", "Job", group, {
        versions: [
          { name: "v1", served: true, storage: false, schema: schema({ cron: text, by: { ...text, default: "me" } }) },
          { name: "v2", served: true, storage: true, schema: schema({ cron: text }) },
        ],
      }),
    );
    const path = `/apis/${group}/v1/namespaces/default/jobs/a?fieldManager=m`;
    const apply = async (cron: string): Promise<JsonObject> => {
      const job = { apiVersion: `${group}/v1`, kind: "Job", metadata: { name: "a" }, spec: { cron } };
      const answer = await server.client.request({
        method: "PATCH",
        path,
        body: Buffer.from(JSON.stringify(job)),
        headers: { "Content-Type": "application/apply-patch+yaml" },
        signal: new AbortController().signal,
        timeoutMs: 60_000,
      });
      return (JSON.parse(answer.body.toString()) as { metadata: JsonObject }).metadata;
    };
    const made = await apply("1");
    assert.equal(made["generation"], 1);
    assert.deepEqual(await apply("1"), made);
    assert.equal((await apply("2"))["generation"], 2);
  });

  it("replicas that the schema does not state are no part of an object, though setting them counts as a change", async () => {
    const group = "unstated.example.com";
    const [version] = (sampleDefinition("crontabs", "CronTab", group)["spec"] as { versions: JsonObject[] }).versions;
    const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.n" };
    const schema = {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { cron: { type: "string" } } } },
      },
    };
    const versions = [{ ...version, schema, subresources: { scale } } as JsonObject];
    await define(server, sampleDefinition("crontabs", "CronTab", group, { versions }));
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    await send(server, "POST", path, object("CronTab", group, "a"));
    const sent = { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { name: "a", namespace: "default" } };
    for (const generation of [2, 3]) {
      const scaled = await send(server, "PUT", `${path}/a/scale`, { ...sent, spec: { replicas: 4 } });
      assert.deepEqual([scaled.status, scaled.body["spec"], scaled.body["status"]], [200, {}, { replicas: 0 }]);
      const { metadata, spec } = (await send(server, "GET", `${path}/a`)).body as {
        metadata: JsonObject;
        spec: JsonObject;
      };
      assert.deepEqual([metadata["generation"], spec], [generation, { cron: "*" }]);
    }
  });

  it("an integer of more than 64 bits stays the field of its writer when others write, and is no change", async () => {
    const group = "numbers.example.com";
    const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
    await define(server, sampleDefinition("sums", "Sum", group, { versions }));
    using client = createApiClient(server.clientConfig);
    const path = `/apis/${group}/v1/namespaces/default/sums`;
    const numbers = '"big":12345678901234567000,"whole":9007199254740993';
    const sent = `{"apiVersion":"${group}/v1","kind":"Sum","metadata":{"name":"a"},"spec":{${numbers}}}`;
    assert.equal((await client.post(`${path}?fieldManager=one`, sent)).status, 201);
    const patched = await send(server, "PATCH", `${path}/a?fieldManager=two`, { spec: { small: 1 } });
    const owners = (patched.body["metadata"] as { managedFields: JsonObject[] }).managedFields;
    assert.deepEqual(
      owners.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
      [
        ["one", { "f:spec": { ".": {}, "f:big": {}, "f:whole": {} } }],
        ["two", { "f:spec": { "f:small": {} } }],
      ],
    );
    const again = await send(server, "PATCH", `${path}/a?fieldManager=two`, { spec: { small: 1 } });
    assert.equal(again.text, patched.text);
  });

  it("of a deprecated version are warned about where there is no such subresource, too", async () => {
    const group = "deprecated.example.com";
    const { spec } = sampleDefinition("jobs", "Job", group) as { spec: { versions: JsonObject[] } };
    const versions = spec.versions.map((version) => ({ ...version, deprecated: true, deprecationWarning: "use v2" }));
    await define(server, sampleDefinition("jobs", "Job", group, { versions }));
    const { status, headers } = await server.client.request({
      path: `/apis/${group}/v1/namespaces/default/jobs/a/scale`,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
    });
    assert.deepEqual([status, headers["warning"]], [404, '299 - "use v2"']);
  });

  it("a served version can be taken away and come back, and the objects stay", async () => {
    const group = "versions.example.com";
    const sample = sampleDefinition("crontabs", "CronTab", group);
    await define(server, sample);
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    await send(server, "POST", path, object("CronTab", group, "a"));
    const switchTo = async (served: boolean): Promise<void> => {
      const { versions } = sample["spec"] as { versions: JsonObject[] };
      const patched = versions.map((version) => ({ ...version, served }));
      await send(server, "PATCH", `${definitionsPath}/crontabs.${group}`, { spec: { versions: patched } });
    };
    await switchTo(false);
    await until("it is not served", async () => (await send(server, "GET", path)).text === pageNotFound.text);
    await switchTo(true);
    await until("it is served again", async () => (await send(server, "GET", `${path}/a`)).status === 200);
    await switchTo(false);
    await until("it is not served", async () => (await send(server, "GET", path)).text === pageNotFound.text);
    await send(server, "DELETE", `${definitionsPath}/crontabs.${group}`);
    await gone(server, `crontabs.${group}`);
    await define(server, sample);
    assert.deepEqual((await send(server, "GET", path)).body["items"], [], "its objects went with it, served or not");
  });

  it("end their watches when they change, for objects are shown in another form from then on", async () => {
    const group = "changing.example.com";
    const definitionPath = `${definitionsPath}/crontabs.${group}`;
    const sample = sampleDefinition("crontabs", "CronTab", group);
    await define(server, sample);
    const path = (version: string): string => `/apis/${group}/${version}/namespaces/default/crontabs`;
    using client = createApiClient(server.clientConfig);
    const shown = (event: WatchDocument): string => `${event.type} ${event.object.apiVersion}`;
    using watch = await client.watch(`${path("v1")}?watch=1&resourceVersion=0`);
    await send(server, "POST", path("v1"), object("CronTab", group, "a"));
    await send(server, "PATCH", definitionPath, { metadata: { labels: { changes: "nothing" } } });
    await send(server, "PATCH", `${path("v1")}/a`, { metadata: { labels: { seen: "yes" } } });
    assert.deepEqual((await watch.take(2)).map(shown), [`ADDED ${group}/v1`, `MODIFIED ${group}/v1`]);
    const { versions } = sample["spec"] as { versions: JsonObject[] };
    const [first = {}] = versions;
    const switched = [
      { ...first, storage: false },
      { ...first, name: "v2" },
    ];
    await send(server, "PATCH", definitionPath, { spec: { versions: switched } });
    assert.deepEqual(await watch.rest(), [], "no error at its end");
    await until("the other version is served", async () => (await send(server, "GET", path("v2"))).status === 200);
    using again = await client.watch(`${path("v1")}?watch=1&resourceVersion=0`);
    await send(server, "PATCH", `${path("v2")}/a`, { metadata: { labels: { stored: "v2" } } });
    await send(server, "DELETE", definitionPath);
    const rest = (await again.rest()).map(shown);
    assert.deepEqual(rest, [`ADDED ${group}/v1`, `MODIFIED ${group}/v1`, `DELETED ${group}/v1`]);
    await gone(server, `crontabs.${group}`);
  });

  it("know the owners of fields in versions that are not served, and none at all once such a version is gone", async () => {
    const group = "owning.example.com";
    const definitionPath = `${definitionsPath}/crontabs.${group}`;
    const scalable = {
      subresources: { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.n" } },
    };
    const properties = { cron: { type: "string" }, replicas: { type: "integer" } };
    const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } };
    const first: JsonObject = { name: "v1", served: true, storage: true, schema, ...scalable };
    await define(server, sampleDefinition("crontabs", "CronTab", group, { versions: [first] }));
    const path = (version: string): string => `/apis/${group}/${version}/namespaces/default/crontabs`;
    for (const name of ["a", "b", "c"]) {
      await send(server, "POST", `${path("v1")}?fieldManager=first`, object("CronTab", group, name));
    }
    const serveOnlySecond = [
      { ...first, served: false, storage: false },
      { ...first, name: "v2" },
    ];
    await send(server, "PATCH", definitionPath, { spec: { versions: serveOnlySecond } });
    await until("v2 is served", async () => (await send(server, "GET", path("v2"))).status === 200);
    const ownersAfter = async (name: string, change: JsonObject, part = ""): Promise<unknown> => {
      await send(server, "PATCH", `${path("v2")}/${name}${part}?fieldManager=second`, change);
      const { body } = await send(server, "GET", `${path("v2")}/${name}`);
      const { managedFields } = body["metadata"] as { managedFields?: { manager: string; apiVersion: string }[] };
      return managedFields?.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`).sort();
    };
    const both = [`first ${group}/v1`, `second ${group}/v2`];
    for (const name of ["a", "b", "c"]) {
      assert.deepEqual(await ownersAfter(name, { metadata: { labels: { seen: "yes" } } }), both);
    }
    await send(server, "PATCH", `${definitionPath}/status`, { status: { storedVersions: ["v2"] } });
    const switched = await send(server, "PATCH", definitionPath, { spec: { versions: [{ ...first, name: "v2" }] } });
    assert.equal(switched.status, 200);
    const labelled = { apiVersion: `${group}/v2`, kind: "CronTab", metadata: { labels: { third: "yes" } } };
    const applied = await until("the definition of now is asked", async () => {
      const answer = await server.client.request({
        method: "PATCH",
        path: `${path("v2")}/a?fieldManager=third`,
        body: Buffer.from(JSON.stringify(labelled)),
        headers: { "Content-Type": "application/apply-patch+yaml" },
        signal: new AbortController().signal,
        timeoutMs: 60_000,
      });
      return answer.status !== 200 && answer;
    });
    const { code, message } = JSON.parse(applied.body.toString()) as JsonObject;
    assert.deepEqual(
      { code, message },
      { code: 400, message: `request to convert CR to an invalid group/version: ${group}/v1` },
    );
    assert.equal(await ownersAfter("b", { spec: { cron: "2" } }), undefined);
    const withoutFirst = [`second ${group}/v2`];
    assert.deepEqual(
      (await ownersAfter("c", { spec: { replicas: 3 } }, "/scale")) ?? [],
      withoutFirst,
      "a Scale leaves what is not its own",
    );
  });

  it("give a status alone the defaults of the version in which it is written", async () => {
    const group = "status-defaults.example.com";
    const schemaOf = (c: JsonObject): JsonObject => {
      const part = { type: "object", properties: { a: { type: "string" }, c } };
      return { openAPIV3Schema: { type: "object", properties: { spec: part, status: part } } };
    };
    const rest = { served: true, subresources: { status: {} } };
    const sample = sampleDefinition("things", "Thing", group);
    await define(server, {
      ...sample,
      spec: {
        ...(sample["spec"] as JsonObject),
        versions: [
          { ...rest, name: "v1", storage: true, schema: schemaOf({ type: "string" }) },
          { ...rest, name: "v2", storage: false, schema: schemaOf({ type: "string", default: "C" }) },
        ],
      },
    });
    const pathOf = (version: string): string => `/apis/${group}/${version}/namespaces/default/things`;
    const created = { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "a" }, spec: { a: "A" } };
    assert.equal((await send(server, "POST", pathOf("v1"), created)).status, 201);
    const { body } = await send(server, "GET", `${pathOf("v2")}/a`);
    assert.deepEqual(body["spec"], { a: "A" });
    const { body: updated } = await send(server, "PUT", `${pathOf("v2")}/a/status`, { ...body, status: { a: "A" } });
    assert.deepEqual([updated["spec"], updated["status"]], [{ a: "A" }, { a: "A", c: "C" }]);
    const patch = { status: { a: "B" } };
    const { body: patched } = await send(server, "PATCH", `${pathOf("v2")}/a/status`, patch);
    assert.deepEqual([patched["spec"], patched["status"]], [{ a: "A" }, { a: "B", c: "C" }]);
    assert.equal((patched["metadata"] as JsonObject)["generation"], 1);
  });

  it("count no generation when they are deleted once more", async () => {
    const group = "twice.example.com";
    const sample = sampleDefinition("crontabs", "CronTab", group);
    await define(server, { ...sample, metadata: { name: `crontabs.${group}`, finalizers: ["example.com/held"] } });
    const path = `${definitionsPath}/crontabs.${group}`;
    const generations: unknown[] = [];
    for (const _ of ["first", "again"]) {
      const { body } = await send(server, "DELETE", path);
      generations.push((body["metadata"] as JsonObject)["generation"]);
    }
    assert.deepEqual(generations, [1, 1]);
    await send(server, "PATCH", path, { metadata: { finalizers: null } });
    await gone(server, `crontabs.${group}`);
  });

  it("take owners and dependents of theirs into garbage collection", async () => {
    const group = "owners.example.com";
    await define(server, sampleDefinition("crontabs", "CronTab", group));
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    const owner = (await send(server, "POST", path, object("CronTab", group, "owner"))).body["metadata"] as JsonObject;
    const ownerReferences = [
      { apiVersion: `${group}/v1`, kind: "CronTab", name: "owner", uid: owner["uid"] as string },
    ];
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owned-by-crontab", ownerReferences } };
    const configPath = "/api/v1/namespaces/default/configmaps";
    assert.equal((await send(server, "POST", configPath, config)).status, 201);
    await send(server, "POST", path, object("CronTab", group, "dependent", { ownerReferences }));
    await send(server, "DELETE", `${path}/owner`);
    for (const dependent of [`${configPath}/owned-by-crontab`, `${path}/dependent`]) {
      await until("the dependent is collected", async () => (await send(server, "GET", dependent)).status === 404);
    }
  });

  it("lose their objects in a namespace with the namespace", async () => {
    const group = "emptied.example.com";
    await define(server, sampleDefinition("crontabs", "CronTab", group));
    await send(server, "POST", "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "doomed" },
    });
    const path = `/apis/${group}/v1/namespaces/doomed/crontabs`;
    await until(
      "it can be used",
      async () => (await send(server, "POST", path, object("CronTab", group, "a"))).status === 201,
    );
    await send(server, "DELETE", "/api/v1/namespaces/doomed");
    await until("the object is gone", async () => (await send(server, "GET", `${path}/a`)).status === 404);
    await until(
      "the namespace is gone",
      async () => (await send(server, "GET", "/api/v1/namespaces/doomed")).status === 404,
    );
  });
});

describe("definitions of custom resources, over restarts", () => {
  it("serve what they served as soon as the server is ready", async () => {
    await using server = await startTestServer();
    const group = "restart.example.com";
    await define(server, sampleDefinition("crontabs", "CronTab", group));
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    await send(server, "POST", path, object("CronTab", group, "a"));
    await server.kill("SIGKILL");
    await server.restart();
    assert.equal((await send(server, "GET", `${path}/a`)).status, 200);
  });

  it("end what had begun when the server was killed, wherever that was", async () => {
    await using server = await startTestServer();
    const group = "killed.example.com";
    for (let round = 0; round < 3; round++) {
      const plural = `things${round}`;
      const kind = `Thing${round}`;
      const path = `/apis/${group}/v1/namespaces/default/${plural}`;
      const name = `${plural}.${group}`;
      assert.equal((await send(server, "POST", definitionsPath, sampleDefinition(plural, kind, group))).status, 201);
      await server.kill("SIGKILL");
      await server.restart();
      await until("it is served", async () => (await send(server, "GET", path)).status === 200);
      await Promise.all(
        Array.from({ length: 40 }, (_, index) => send(server, "POST", path, object(kind, group, `o${index}`))),
      );
      await send(server, "DELETE", `${definitionsPath}/${name}`);
      // Each round a little later in the cleanup.
      await new Promise((resolve) => setTimeout(resolve, round * 8));
      await server.kill("SIGKILL");
      await server.restart();
      await gone(server, name);
      await define(server, sampleDefinition(plural, kind, group));
      assert.deepEqual((await send(server, "GET", path)).body["items"], []);
    }
  });
});
