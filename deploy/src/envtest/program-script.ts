/** A program of the pair, as a shell script. */
export interface ProgramScript {
  readonly name: "kube-apiserver" | "etcd";
  /** Path of the node to run. */
  readonly node: string;
  /** Path of the script of gatehouse-apiserver. */
  readonly server: string;
  /** Text of `--help`. */
  readonly help: string;
}

/** The line that tells a script of ours from any other program. */
export const scriptMark = "# Written by gatehouse envtest install.";

const endOfHelp = "END_OF_HELP";

/**
 * Writes the script of a program. It answers `--help` by itself, since harnesses ask for it before they start the program,
 * and becomes Node, so that its process ID is that of the server.
 */
export function programScript({ name, node, server, help }: ProgramScript): string {
  return `#!/bin/sh
${scriptMark}
for argument; do
  case "$argument" in
  --help | -help | -h)
    cat <<'${endOfHelp}'
${help.trimEnd()}
${endOfHelp}
    exit 0
    ;;
  esac
done
exec ${quoted(node)} ${quoted(server)} envtest ${name} "$@"
`;
}

/** Quotes a word for the shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
