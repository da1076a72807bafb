import { startBehind } from "@gatehouse/testing/front";
import { PodReports } from "./pod-reports.js";
import { reportsProgram } from "./program.js";

// Runs the server behind a control plane of its own, until a signal comes.
const behind = await startBehind(reportsProgram(new PodReports()));
console.log(`kubectl --kubeconfig=${await behind.controlPlane.kubeconfigFile()} get policyreports -A`);
const stop = (): void => void behind[Symbol.asyncDispose]();
process.once("SIGINT", stop).once("SIGTERM", stop);
