import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { startTestServer } from "../support/start-test-server.js";

const range = "--service-cluster-ip-range=10.0.0.0/28";
const gate = ["--feature-gates=MultiCIDRServiceAllocator=true", "--runtime-config=networking.k8s.io/v1alpha1=true"];
const services = "/api/v1/namespaces/default/services";
const ipAddresses = "/apis/networking.k8s.io/v1alpha1/ipaddresses";

function service(name: string, spec: object = {}): object {
  return { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
}

describe("A store whose Services are from before the gate MultiCIDRServiceAllocator", () => {
  let server: ControlPlane;
  let client: ApiClient;

  before(async () => {
    server = await startTestServer({ flags: [range] });
    client = createApiClient(server.clientConfig);
  });
  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
  });

  async function addressOf(name: string): Promise<string> {
    const { document } = await client.get(`${services}/${name}`);
    return String((document["spec"] as { clusterIP?: string }).clusterIP);
  }

  async function create(name: string, spec?: object): Promise<number> {
    return (await client.post(services, service(name, spec))).status;
  }

  async function restartWith(...flags: string[]): Promise<void> {
    client[Symbol.dispose]();
    await server.restart({ flags: [range, ...flags] });
    client = createApiClient(server.clientConfig);
  }

  it("gives each of them an IPAddress before the server is ready", async () => {
    assert.equal(await create("fixed", { clusterIP: "10.0.0.9" }), 201);
    assert.equal(await create("any"), 201);
    assert.equal(await create("headless", { clusterIP: "None" }), 201);
    await restartWith(...gate);
    const { document } = await client.get(ipAddresses);
    const owners = (document["items"] as readonly ApiDocument[]).map((item) => [
      item.metadata.name,
      textAt(item as JsonObject, "spec", "parentRef", "name"),
    ]);
    const expected = [
      ["10.0.0.1", "kubernetes"],
      ["10.0.0.9", "fixed"],
      [await addressOf("any"), "any"],
    ];
    assert.deepEqual(owners.sort(), expected.sort());
  });

  it("does not give their addresses to other Services", async () => {
    assert.equal(await create("taken", { clusterIP: "10.0.0.9" }), 422);
    const statuses = [];
    for (let index = 0; index < 12; index++) {
      statuses.push(await create(`more-${index}`));
    }
    // 14 addresses, of which three were taken.
    assert.deepEqual(statuses, [...new Array(11).fill(201), 500]);
  });

  it("knows what was taken meanwhile when the gate is off again", async () => {
    await restartWith();
    const address = await addressOf("more-3");
    assert.equal(await create("taken", { clusterIP: address }), 422);
    assert.equal(await create("full"), 500);
  });

  it("gives an IPAddress to the Service that has got the address of another one since", async () => {
    const address = await addressOf("any");
    assert.equal((await client.delete(`${services}/any`)).status, 200);
    assert.equal(await create("late", { clusterIP: address }), 201);
    await restartWith(...gate);
    const { document } = await client.get(`${ipAddresses}/${address}`);
    assert.deepEqual(document["spec"], { parentRef: { resource: "services", namespace: "default", name: "late" } });
  });
});

describe("The gate MultiCIDRServiceAllocator", () => {
  it("is refused while its kinds are not served, with what to give", async () => {
    await assert.rejects(
      startTestServer({ flags: [range, "--feature-gates=MultiCIDRServiceAllocator=true"] }),
      /feature gate MultiCIDRServiceAllocator is not supported: it needs ipaddresses and servicecidrs; give --runtime-config=networking\.k8s\.io\/v1alpha1=true/,
    );
  });

  it("lets ranges be larger than a bitmap can hold", async () => {
    await assert.rejects(startTestServer({ flags: ["--service-cluster-ip-range=10.0.0.0/8"] }), /is too large/);
    const server = await startTestServer({ flags: ["--service-cluster-ip-range=10.0.0.0/8", ...gate] });
    try {
      using client = createApiClient(server.clientConfig);
      assert.equal((await client.post(services, service("a", { clusterIP: "10.200.3.4" }))).status, 201);
      assert.equal((await client.post(services, service("b"))).status, 201);
    } finally {
      await server.stop();
    }
  });
});
