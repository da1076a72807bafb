import { isSet, type JsonValue } from "@gatehouse/envelopes/json";

/** Messages about volume plugins that are deprecated or removed, by name. */
const deprecations = {
  photonPersistentDisk: "deprecated in v1.11, non-functional in v1.16+",
  gitRepo: "deprecated in v1.11",
  scaleIO: "deprecated in v1.16, non-functional in v1.22+",
  flocker: "deprecated in v1.22, non-functional in v1.25+",
  storageOS: "deprecated in v1.22, non-functional in v1.25+",
  quobyte: "deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "deprecated in v1.25, non-functional in v1.26+",
  cephfs: "deprecated in v1.28, non-functional in v1.31+",
  rbd: "deprecated in v1.28, non-functional in v1.31+",
} as const;

/** The name of a deprecated volume plugin: in most cases that of its member in a pod. */
export type DeprecatedVolume = keyof typeof deprecations;

/** Names of the members of plugins that v1.29 names differently in its warnings. */
const memberNames: Partial<Record<DeprecatedVolume, string>> = { storageOS: "storageos" };

/** All deprecated volume plugins of pods. */
export const deprecatedPodVolumes = Object.keys(deprecations) as readonly DeprecatedVolume[];

/** Returns warnings for a volume at `path` that uses one of the plugins. */
export function deprecatedVolumeWarnings(
  volume: JsonValue | undefined,
  path: string,
  plugins: readonly DeprecatedVolume[],
): readonly string[] {
  return plugins.flatMap((plugin) =>
    isSet(volume, memberNames[plugin] ?? plugin) ? [`${path}.${plugin}: ${deprecations[plugin]}`] : [],
  );
}
