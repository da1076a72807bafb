/** Thrown for a fault that the person at the keyboard can mend. Shown as its one sentence, without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** The code of a system error (`EACCES`), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
