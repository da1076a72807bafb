import { startBehind } from "@gatehouse/testing/front";
import { wardle } from "./wardle.js";

// Runs wardle behind a control plane of its own, until a signal comes.
const behind = await startBehind(wardle);
console.log(`kubectl --kubeconfig=${await behind.controlPlane.kubeconfigFile()} get flunders,fischers`);
const stop = (): void => void behind[Symbol.asyncDispose]();
process.once("SIGINT", stop).once("SIGTERM", stop);
