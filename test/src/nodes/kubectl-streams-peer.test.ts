import { test } from "node:test";
import { noPeer, startPeerServer } from "../support/peer-server.js";
import { describeStreams } from "./kubectl-streams.js";
import { kubeletFlags, withNode } from "./server-with-node.js";

// Proves that the stand-in kubelet speaks as real ones do: kube-apiserver takes it for one. The soak runs it.
const title = "kubectl reaches pods of a stand-in node through a kube-apiserver";
const skip = noPeer ?? (process.env["STREAMS_OF_PEER"] === "1" ? undefined : "STREAMS_OF_PEER=1 is not set");
if (skip === undefined) {
  await describeStreams(title, () => withNode(() => startPeerServer([], kubeletFlags)));
} else {
  test(title, { skip }, () => {});
}
