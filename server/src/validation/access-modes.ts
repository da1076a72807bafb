import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, textsAt } from "@gatehouse/envelopes/json";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Volume modes that v1.29 knows: raw disks and file systems. */
export const volumeModes: readonly string[] = ["Block", "Filesystem"];

/** Validates access modes: each is known, and `ReadWriteOncePod` stands alone. */
export function validateAccessModes(modes: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
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
