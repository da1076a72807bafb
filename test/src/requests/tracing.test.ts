import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { compileProto } from "@gatehouse/component-base/grpc";
import { type GrpcServer, startGrpcServer } from "@gatehouse/component-base/grpc-server";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";

/** The part of OTLP that the test reads. */
const otlp = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { repeated ScopeSpans scope_spans = 2; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  bytes parent_span_id = 4;
  string name = 5;
  repeated KeyValue attributes = 9;
  repeated Link links = 13;
}
message Link { bytes trace_id = 1; bytes span_id = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { string string_value = 1; int64 int_value = 3; }
`;

interface ReceivedSpan {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentSpanId: Buffer;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly links: readonly { readonly traceId: Buffer; readonly spanId: Buffer }[];
}

interface ReceivedRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
}

const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const clientTrace = "0af7651916cd43dd8448eb211c80319c";
const clientSpan = "b7ad6b7169203331";
const configMaps = "/api/v1/namespaces/default/configmaps";

describe("Traces", () => {
  let folder: string;
  let receiver: GrpcServer;
  let webhook: Server;
  let caBundle: string;
  /** Values of `traceparent` that the webhook has received. */
  const told: string[] = [];
  const spans: ReceivedSpan[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-traces-"));
    const codec = (await compileProto(otlp)).codec<ReceivedRequest>("Request");
    receiver = await startGrpcServer({
      host: "127.0.0.1",
      port: 0,
      routes: [
        {
          path,
          isStream: false,
          answer(message) {
            const { resourceSpans } = codec.decode(message);
            spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
            return Buffer.alloc(0);
          },
        },
      ],
      maxMessageBytes: 4_000_000,
      maxConnections: 10,
      maxStreamsPerConnection: 10,
      onFault: (error) => assert.fail(String(error)),
    });
    const hour = 3_600_000;
    const lifetime = { notBefore: new Date(Date.now() - hour), notAfter: new Date(Date.now() + hour) };
    const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "hooks" }, ...lifetime });
    const { certificatePem, keyPem } = await issueCertificate({
      subject: { kind: "server", commonName: "hook", dnsNames: [], ipAddresses: ["127.0.0.1"] },
      issuer,
      ...lifetime,
    });
    caBundle = Buffer.from(issuer.certificatePem).toString("base64");
    webhook = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
      told.push(String(request.headers["traceparent"]));
      response.writeHead(500).end();
    }).listen(0, "127.0.0.1");
    await once(webhook, "listening");
  });
  after(async () => {
    webhook?.close();
    webhook?.closeAllConnections();
    await receiver[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it("a request is a trace of its own, linked to that of its client, with its verb, the store and its webhooks below", async () => {
    const file = join(folder, "tracing.yaml");
    const document = {
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "TracingConfiguration",
      endpoint: `127.0.0.1:${receiver.port}`,
      samplingRatePerMillion: 1_000_000,
    };
    await writeFile(file, JSON.stringify(document));
    const server = await startTestServer({ flags: [`--tracing-config-file=${file}`] });
    {
      using client = createApiClient(server.clientConfig);
      const { port } = webhook.address() as AddressInfo;
      const configuration = {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "traced" },
        webhooks: [
          {
            name: "traced.example.com",
            clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle },
            failurePolicy: "Ignore",
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
          },
        ],
      };
      const registered = await client.post(
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        configuration,
      );
      assert.equal(registered.status, 201);
      const created = await client.post(
        configMaps,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "traced" } },
        { traceparent: `00-${clientTrace}-${clientSpan}-01` },
      );
      assert.equal(created.status, 201);
    }
    // What is left is sent when the server ends.
    await server.stop();
    const attribute = (span: ReceivedSpan, name: string): string | undefined =>
      span.attributes.find(({ key }) => key === name)?.value.stringValue;
    const root = spans.find((span) => span.name === "KubernetesAPI" && span.links.length > 0);
    assert.ok(root, spans.map(({ name }) => name).join());
    assert.equal(attribute(root, "http.target"), configMaps);
    assert.equal(root.parentSpanId.length, 0);
    assert.deepEqual(
      root.links.map(({ traceId, spanId }) => [traceId.toString("hex"), spanId.toString("hex")]),
      [[clientTrace, clientSpan]],
    );
    assert.notEqual(root.traceId.toString("hex"), clientTrace);
    const below = (parent: ReceivedSpan): ReceivedSpan[] =>
      spans.filter(({ parentSpanId }) => parentSpanId.equals(parent.spanId));
    const [verb] = below(root);
    assert.equal(verb?.name, "Create");
    assert.deepEqual(
      below(verb)
        .map(({ name }) => name)
        .sort(),
      ["Call validating webhook", "Storage"],
    );
    const call = below(verb).find(({ name }) => name.startsWith("Call"));
    assert.ok(call);
    assert.equal(attribute(call, "webhook"), "traced.example.com");
    assert.deepEqual(told, [`00-${call.traceId.toString("hex")}-${call.spanId.toString("hex")}-01`]);
  });
});
