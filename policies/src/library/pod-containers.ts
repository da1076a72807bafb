import type { coreV1 } from "@gatehouse/envelopes/types";

/** A container of any sort, with its place in the pod. */
export interface PlacedContainer {
  /** The path of the container: `spec.initContainers[0]`. */
  readonly field: string;
  readonly container: coreV1.Container | coreV1.EphemeralContainer;
}

/** Returns all containers of a pod: init containers first, then its own, then ephemeral ones. */
export function podContainers({ spec }: coreV1.Pod): PlacedContainer[] {
  return [
    ...placed("spec.initContainers", spec?.initContainers),
    ...placed("spec.containers", spec?.containers),
    ...placed("spec.ephemeralContainers", spec?.ephemeralContainers),
  ];
}

function placed(field: string, containers: readonly PlacedContainer["container"][] | undefined): PlacedContainer[] {
  return (containers ?? []).map((container, index) => ({ field: `${field}[${index}]`, container }));
}
