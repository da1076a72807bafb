import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { WebSocket } from "ws";
import { withNode } from "./server-with-node.js";

test("TranslateStreamCloseWebsocketRequests serves v5.channel.k8s.io before a kubelet that does not know it", async () => {
  let cluster: ControlPlane | undefined;
  await using server = await withNode(async () => {
    const flags = ["--feature-gates=TranslateStreamCloseWebsocketRequests=true"];
    cluster = await startControlPlane({ authorization: ["AlwaysAllow"], flags });
    return cluster;
  });
  await server.node.runPod({
    name: "web",
    async exec(command, { stdin, stdout }) {
      stdout.write(`${command}: ${(await text(stdin)).toUpperCase()}`);
      return 7;
    },
  });
  const { port, tls } = cluster as ControlPlane;
  const path = "/api/v1/namespaces/default/pods/web/exec?command=say&command=it&stdin=true&stdout=true";
  const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, ["v5.channel.k8s.io"], tls);
  const messages: Buffer[] = [];
  socket.on("message", (message: Buffer) => messages.push(message));
  await once(socket, "open");
  socket.send("\0loud");
  // Stream close of channel 0: the end of the input, which earlier protocols cannot tell.
  socket.send(Buffer.from([255, 0]));
  await once(socket, "close");
  const of = (channel: number): string =>
    Buffer.concat(messages.filter(([first]) => first === channel).map((message) => message.subarray(1))).toString();
  assert.equal(of(1), "say,it: LOUD");
  assert.deepEqual(JSON.parse(of(3)).details, { causes: [{ reason: "ExitCode", message: "7" }] });
});
