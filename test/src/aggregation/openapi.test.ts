import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { until } from "../support/until.js";
import { getJson, registerGroup, startAggregatingServer, untilAvailable } from "./aggregated-server.js";
import { type StandIn, sendJson, startStandIn } from "./stand-in.js";

// A server behind that has Swagger 2.0 alone: v1.29 publishes it as OpenAPI 3.0, which kubectl reads.

const group = "old.example.com";
const definition = "com.example.old.v1.Thing";
const swagger = {
  swagger: "2.0",
  info: { title: "Old", version: "v1" },
  paths: {
    [`/apis/${group}/v1/things`]: {
      post: {
        operationId: "createThing",
        consumes: ["application/json"],
        produces: ["application/json"],
        parameters: [
          { name: "body", in: "body", required: true, schema: { $ref: `#/definitions/${definition}` } },
          { name: "dryRun", in: "query", type: "string", uniqueItems: true },
        ],
        responses: { "201": { description: "Created", schema: { $ref: `#/definitions/${definition}` } } },
        "x-kubernetes-action": "post",
        "x-kubernetes-group-version-kind": { group, version: "v1", kind: "Thing" },
      },
    },
  },
  definitions: {
    [definition]: {
      description: "A thing of old.",
      type: "object",
      properties: { size: { type: "integer", format: "int32" } },
      "x-kubernetes-group-version-kind": [{ group, version: "v1", kind: "Thing" }],
    },
  },
};
let server: ControlPlane;
let standIn: StandIn;

before(async () => {
  [server, standIn] = await Promise.all([
    startAggregatingServer(),
    startStandIn({ dnsNames: ["old-example-com.servers.svc"] }),
  ]);
  standIn.answer = (request, response) => {
    const path = request.url.split("?")[0];
    if (path === "/openapi/v2") {
      sendJson(response, swagger);
    } else if (path === "/openapi/v3") {
      response.writeHead(404).end();
    } else {
      sendJson(response, { kind: "APIResourceList", apiVersion: "v1", groupVersion: `${group}/v1`, resources: [] });
    }
  };
  await registerGroup(server, standIn, { group });
  await untilAvailable(server, `v1.${group}`);
});

after(async () => {
  await Promise.all([server?.stop(), standIn?.[Symbol.asyncDispose]()]);
});

test("a server that has Swagger 2.0 alone is published as OpenAPI 3.0", async () => {
  const url = await until("the document is listed", async () => {
    const { paths } = (await getJson(server, "/openapi/v3")) as {
      readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
    };
    return paths[`apis/${group}/v1`]?.serverRelativeURL;
  });
  assert.match(url, /^\/openapi\/v3\/apis\/old\.example\.com\/v1\?hash=[0-9A-F]{128}$/);
  const document = await getJson(server, url);
  const schema = { $ref: `#/components/schemas/${definition}` };
  const content = { "application/json": { schema } };
  assert.deepEqual(document, {
    openapi: "3.0.0",
    info: swagger.info,
    paths: {
      [`/apis/${group}/v1/things`]: {
        post: {
          operationId: "createThing",
          parameters: [{ name: "dryRun", in: "query", schema: { type: "string", uniqueItems: true } }],
          requestBody: { content },
          responses: { "201": { description: "Created", content } },
          "x-kubernetes-action": "post",
          "x-kubernetes-group-version-kind": { group, version: "v1", kind: "Thing" },
        },
      },
    },
    components: { schemas: swagger.definitions },
  });
});

test("the converted document is there in protobuf, which kubectl asks for", async () => {
  const { status, headers, body } = await server.client.request({
    method: "GET",
    path: `/openapi/v3/apis/${group}/v1`,
    headers: { accept: "application/com.github.proto-openapi.spec.v3@v1.0+protobuf" },
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "application/com.github.proto-openapi.spec.v3.v1.0+protobuf");
  assert.ok(body.includes(`/apis/${group}/v1/things`) && body.includes(definition));
});
