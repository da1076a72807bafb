import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, textsAt } from "@gatehouse/envelopes";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Whether volumes are disks or file systems. */
export const volumeModes: readonly string[] = ["Block", "Filesystem"];

/** How volumes can be mounted: in one way at least, and in one way only if it is for a single pod. */
export function checkAccessModes(modes: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const given = new Set<string>();
  for (const mode of textsAt(modes)) {
    if (!accessModes.includes(mode) && !errors.isFull) {
      errors.notSupported(path, mode, accessModes);
    }
    given.add(mode);
  }
  const isShared = accessModes.some((mode) => mode !== "ReadWriteOncePod" && given.has(mode));
  if (isShared && given.has("ReadWriteOncePod")) {
    errors.forbidden(path, "may not use ReadWriteOncePod with other access modes");
  }
}
