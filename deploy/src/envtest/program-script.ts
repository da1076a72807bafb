/** A program of the pair, as a shell script. */
export interface ProgramScript {
  readonly name: "kube-apiserver" | "etcd";
  /** Shell words that start gatehouse-apiserver: its Node and its script, or an executable and the name of the program. */
  readonly command: string;
  /** Shell lines that `command` needs before it. */
  readonly preparation?: string;
  /** Text of `--help`. */
  readonly help: string;
}

/** The line that tells a script of ours from any other program. */
export const scriptMark = "# Written by gatehouse envtest install.";

const endOfHelp = "END_OF_HELP";

/**
 * Writes the script of a program. It answers `--help` by itself, since harnesses ask for it before they start the program,
 * and becomes the server, so that its process ID is that of the server. It tells
 * the server its parent, which may be gone before the server runs. Node reads the authorities that a variable names at each start,
 * for longer than all the rest that it does then; kube-apiserver and etcd know no such variable.
 */
export function programScript({ name, command, preparation, help }: ProgramScript): string {
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
${preparation ?? ""}export GATEHOUSE_ENVTEST_PARENT=$PPID
unset NODE_EXTRA_CA_CERTS
exec ${command} envtest ${name} "$@"
`;
}

/** Quotes a word for the shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
