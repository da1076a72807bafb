import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { listenHost, peerAddress } from "./index.js";

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
const skip = hasIPv6 ? false : "the machine has no IPv6";

for (const bindAddress of ["0.0.0.0", "::"]) {
  test(`a port at ${bindAddress} is open for both families, and knows peers by their own addresses`, {
    skip,
  }, async () => {
    const server = createServer();
    server.listen({ port: 0, host: listenHost(bindAddress) });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const seen: (string | undefined)[] = [];
    for (const host of ["127.0.0.1", "::1"]) {
      const accepted = once(server, "connection") as Promise<[Socket]>;
      const client = connect(port, host);
      const [socket] = await accepted;
      seen.push(peerAddress(socket));
      socket.destroy();
      client.destroy();
    }
    server.close();
    assert.deepEqual(seen, ["127.0.0.1", "::1"]);
  });
}

test("a port at one address is open for that one alone", () => {
  assert.deepEqual(["127.0.0.1", "::1", "localhost"].map(listenHost), ["127.0.0.1", "::1", "localhost"]);
  assert.equal(peerAddress({ remoteAddress: undefined }), undefined);
});
