import { startBehind } from "@gatehouse/testing/front";
import { metricsProgram, usageFrom } from "./program.js";

// Runs the server behind a control plane of its own, until a signal comes.
const { METRICS_SOURCE: place = "metrics.prom" } = process.env;
const behind = await startBehind(metricsProgram(usageFrom(place)));
console.log(`kubectl --kubeconfig=${await behind.controlPlane.kubeconfigFile()} top node`);
const stop = (): void => void behind[Symbol.asyncDispose]();
process.once("SIGINT", stop).once("SIGTERM", stop);
