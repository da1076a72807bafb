import type { coreV1, gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";

/** The annotation by which pods ask for sidecars unless settings name another. */
export const defaultSidecarAnnotation = "sidecar.gatehouse.dev/inject";

/** Adds containers and volumes, in place, to a pod that asks for them; what it has already stays as it is. */
export function injectSidecars(pod: coreV1.Pod, settings: gatehouseadmissionV1alpha1.SidecarInjector): void {
  const { annotation = defaultSidecarAnnotation, containers, volumes = [] } = settings;
  const { spec } = pod;
  if (spec === undefined || pod.metadata?.annotations?.[annotation] !== "true") {
    return;
  }
  spec.containers = withMissing(spec.containers, containers);
  if (volumes.length > 0) {
    spec.volumes = withMissing(spec.volumes ?? [], volumes);
  }
}

function withMissing<T extends { readonly name: string }>(present: readonly T[], wanted: readonly T[]): T[] {
  const names = new Set(present.map(({ name }) => name));
  return [...present, ...wanted.filter(({ name }) => !names.has(name))];
}
