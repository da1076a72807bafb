/** A flag of a command line, with its value where it has one. */
export interface GivenFlag {
  readonly name: string;
  readonly value: string | undefined;
  /** The arguments that it consists of. */
  readonly spelling: readonly string[];
}

/**
 * Splits a command line into flags without knowing all of them. Go's package flag, which etcd uses, takes one dash for two.
 * An argument that does not begin with a dash belongs to the flag before it, unless `isSwitch` says that the flag takes a
 * value with `=` alone: neither etcd nor kube-apiserver has other arguments.
 */
export function readArguments(argv: readonly string[], isSwitch: (name: string) => boolean): GivenFlag[] {
  const flags: GivenFlag[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? "";
    const [, spelled = argument, value] = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? [];
    const name = spelled.replaceAll("_", "-");
    const next = argv[i + 1];
    if (value !== undefined || next === undefined || isFlag(next) || isSwitch(name)) {
      flags.push({ name, value, spelling: [argument] });
    } else {
      flags.push({ name, value: next, spelling: [argument, next] });
      i++;
    }
  }
  return flags;
}

/** Tells whether an argument is a flag; `-` alone stands for standard output. */
function isFlag(argument: string): boolean {
  return argument.startsWith("-") && argument !== "-";
}
