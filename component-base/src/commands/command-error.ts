/** A reason why a command cannot do what was asked, which its user can mend: told in one line, exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
