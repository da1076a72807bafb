import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import type { ObjectAccess } from "@gatehouse/apiserver/admission";
import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { serviceAddresses } from "./service-addresses.js";

const listener = createServer((socket) => socket.destroy());
let answeringPort: number;
let silentPort: number;

before(async () => {
  const other = createServer();
  listener.listen(0, "127.0.0.1");
  other.listen(0, "127.0.0.1");
  await Promise.all([once(listener, "listening"), once(other, "listening")]);
  answeringPort = (listener.address() as AddressInfo).port;
  silentPort = (other.address() as AddressInfo).port;
  other.close();
  await once(other, "close");
});
after(() => listener.close());

/** Returns a resolver of a service `shop/till` with a ready endpoint and one that is not ready. */
function addressesOf(
  spec: JsonObject,
  { routesToEndpoints, ready = true }: { readonly routesToEndpoints: boolean; readonly ready?: boolean },
): ServiceAddresses {
  const service = { metadata: { namespace: "shop", name: "till" }, spec };
  const endpoints = [
    { addresses: ["10.0.0.1"], conditions: { ready } },
    { addresses: ["10.0.0.2"], conditions: { ready: false } },
  ];
  const labels = { "kubernetes.io/service-name": "till" };
  const slice = { metadata: { namespace: "shop", labels }, ports: [{ name: "https", port: 8443 }], endpoints };
  const objects: Pick<ObjectAccess, "view"> = {
    view: ({ resource }, make) => ({
      get: () => (resource === "services" ? make(service) : undefined),
      list: () => (resource === "endpointslices" ? [make(slice)] : []),
      each: () => assert.fail("nobody asks"),
      catchUp: () => assert.fail("nobody asks"),
    }),
  };
  return serviceAddresses(objects, { host: "127.0.0.1", port: () => 6443 }, { routesToEndpoints });
}

const clusterIp = (port: number): JsonObject => ({
  type: "ClusterIP",
  clusterIP: "127.0.0.1",
  ports: [{ name: "https", port }],
});
const endpoint = { host: "10.0.0.1", port: 8443 };

test("a service is reached at its cluster address", async () => {
  const addresses = addressesOf(clusterIp(answeringPort), { routesToEndpoints: false });
  assert.deepEqual(await addresses("shop", "till", answeringPort), [{ host: "127.0.0.1", port: answeringPort }]);
});

test("a service whose cluster address nobody answers at is reached at its ready endpoints", async () => {
  const addresses = addressesOf(clusterIp(silentPort), { routesToEndpoints: false });
  assert.deepEqual(await addresses("shop", "till", silentPort), [endpoint]);
});

test("with --enable-aggregator-routing a service is reached at its ready endpoints alone", async () => {
  const addresses = addressesOf(clusterIp(answeringPort), { routesToEndpoints: true });
  assert.deepEqual(await addresses("shop", "till", answeringPort), [endpoint]);
  const none = addressesOf(clusterIp(answeringPort), { routesToEndpoints: true, ready: false });
  assert.throws(() => none("shop", "till", answeringPort), { message: 'no endpoints available for service "till"' });
});

test("a service without a cluster address is reached with --enable-aggregator-routing alone", async () => {
  const spec = { ...clusterIp(443), clusterIP: "None" };
  assert.deepEqual(await addressesOf(spec, { routesToEndpoints: true })("shop", "till", 443), [endpoint]);
  assert.throws(() => addressesOf(spec, { routesToEndpoints: false })("shop", "till", 443));
});

test("a service with another name in DNS is reached there, and not with --enable-aggregator-routing", async () => {
  const spec = { type: "ExternalName", externalName: "till.example.com", ports: [] };
  const [address] = await addressesOf(spec, { routesToEndpoints: false })("shop", "till", 443);
  assert.equal(address?.host, "till.example.com");
  const routed = () => addressesOf(spec, { routesToEndpoints: true })("shop", "till", 443);
  assert.throws(routed, { message: 'unsupported service type "ExternalName"' });
});

test("the service of this server is this server", async () => {
  const addresses = addressesOf(clusterIp(443), { routesToEndpoints: true });
  assert.deepEqual(await addresses("default", "kubernetes", 443), [{ host: "127.0.0.1", port: 6443 }]);
});
