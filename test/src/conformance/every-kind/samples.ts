import type { Sample } from "./sample.js";
import { accessSamples } from "./samples-access.js";
import { clusterSamples } from "./samples-cluster.js";
import { coreSamples } from "./samples-core.js";
import { workloadSamples } from "./samples-workloads.js";

/** Samples by `<apiVersion> <kind>`. */
export const samples: ReadonlyMap<string, Sample> = new Map(
  [...coreSamples, ...workloadSamples, ...accessSamples, ...clusterSamples].map((sample) => [nameOf(sample), sample]),
);

function nameOf({ yaml }: Sample): string {
  const apiVersion = /^apiVersion: (.*)$/m.exec(yaml)?.[1];
  const kind = /^kind: (.*)$/m.exec(yaml)?.[1];
  return `${apiVersion} ${kind}`;
}
