/**
 * Tells whether the system has refused something: a file that may not be written, a port that is taken. Its message names the
 * call and the path (`EACCES: permission denied, mkdir '/x'`), which is all that the user of a program needs.
 */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "errno" in error;
}
