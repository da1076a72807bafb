import { describe } from "node:test";
import { backingNames } from "@gatehouse/apiserver/extension/front-store";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { noPeer, startPeerServer } from "../support/peer-server.js";
import type { Front } from "../support/stores-in-front.js";
import { describeStoreInFront } from "./describe-store-in-front.js";

const skip = process.env["STORES_OF_PEER"] === "1" ? (noPeer ?? false) : "a part of npm run soak";

async function startPeer(): Promise<Front & AsyncDisposable> {
  const peer = await startPeerServer();
  return { ...peer, clientConfig: await loadKubeconfig(await peer.kubeconfigFile()) };
}

describe("a store in a kube-apiserver", { skip }, () => {
  for (const backing of backingNames) {
    describeStoreInFront(backing, startPeer);
  }
});
