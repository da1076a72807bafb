import { encodeYaml } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * Returns the files of a kustomize base, by name: one for each list of objects, and `kustomization.yaml`. Objects state their
 * namespaces themselves, since some may belong to another one (`kube-system`).
 */
export function kustomizeBase(objects: ReadonlyMap<string, readonly JsonObject[]>): ReadonlyMap<string, string> {
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [...objects.keys()],
  };
  return new Map([
    ...[...objects].map(([file, list]) => [file, list.map((object) => encodeYaml(object)).join("---\n")] as const),
    ["kustomization.yaml", encodeYaml(kustomization)],
  ]);
}
