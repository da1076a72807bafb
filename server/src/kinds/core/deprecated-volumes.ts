import { isSet, type JsonValue } from "@gatehouse/envelopes";

/** Volume plugins that are gone or on their way out, by name. */
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

/** A volume plugin by the name of its member in a pod. */
export type DeprecatedVolume = keyof typeof deprecations;

/** What asks for a plugin, where that is not called as v1.29 calls it in its warnings. */
const memberNames: Partial<Record<DeprecatedVolume, string>> = { storageOS: "storageos" };

/** All of them, as volumes of pods know them. */
export const deprecatedPodVolumes = Object.keys(deprecations) as readonly DeprecatedVolume[];

/** Warnings for a volume, at `path`, that is made by one of the plugins. */
export function deprecatedVolumeWarnings(
  volume: JsonValue | undefined,
  path: string,
  plugins: readonly DeprecatedVolume[],
): readonly string[] {
  return plugins.flatMap((plugin) =>
    isSet(volume, memberNames[plugin] ?? plugin) ? [`${path}.${plugin}: ${deprecations[plugin]}`] : [],
  );
}
