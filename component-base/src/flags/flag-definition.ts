/** Members of every kind of flag. */
export interface FlagCommon {
  /** Heading under which `--help` shows the flag. */
  readonly group: string;
  /** Purpose of the flag, in whole sentences. A word in `backquotes` becomes the placeholder of the value. */
  readonly help: string;
  /** One letter, for `-v` beside `--verbosity`. */
  readonly shorthand?: string;
  /** Left out of `--help`. */
  readonly hidden?: boolean;
  /** The flag still works, with a warning that ends in this text (`use --x instead`). */
  readonly deprecated?: string;
  /**
   * The flag is known by name but its feature is not here: it is refused with this reason, because to ignore it would
   * leave the operator with a false belief. Asking for the stated default is allowed, since it asks for nothing.
   */
  readonly unsupported?: string;
  /**
   * The flag is read and checked but has no effect here, and nobody can rely on one that is missing: a value other than
   * the default leads to a warning that ends in this reason.
   */
  readonly ignored?: string;
}

/** Text as it is, or one of `choices`. */
export interface StringFlag extends FlagCommon {
  readonly type: "string";
  readonly default?: string;
  readonly choices?: readonly string[];
}

/** A file or folder name. An empty value means unset. */
export interface PathFlag extends FlagCommon {
  readonly type: "path";
  readonly default?: string;
}

/** A whole number in Go's text form (`10`, `0x0a`); `min` and `max` are allowed themselves. Unset without a default. */
export interface IntFlag extends FlagCommon {
  readonly type: "int";
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

/** An IP address. Unset without a default. */
export interface IpFlag extends FlagCommon {
  readonly type: "ip";
  readonly default?: string;
}

/** A decimal number, with an exponent if need be; `min` and `max` are allowed themselves. Unset without a default. */
export interface FloatFlag extends FlagCommon {
  readonly type: "float";
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

/** `--x` alone means true. False unless given. */
export interface BoolFlag extends FlagCommon {
  readonly type: "bool";
  readonly default?: boolean;
}

/** A duration in Go's text form on the command line and in `default`; milliseconds in the result. */
export interface DurationFlag extends FlagCommon {
  readonly type: "duration";
  readonly default?: string;
  /** Milliseconds. */
  readonly min?: number;
}

/** Comma-separated and repeatable: `--x=a,b --x=c`. The first use replaces the default. */
export interface StringListFlag extends FlagCommon {
  readonly type: "stringList";
  readonly default?: readonly string[];
  readonly choices?: readonly string[];
  /** True when a comma is part of a value, so that only repetition makes a list. */
  readonly keepCommas?: boolean;
}

/** Comma-separated and repeatable `key=value` pairs. */
export interface KeyValueFlag extends FlagCommon {
  readonly type: "keyValue";
  readonly default?: Readonly<Record<string, string>>;
  /** The value of a key that stands alone; without it a bare key is refused. */
  readonly missingValue?: string;
}

/** A flag of any type; `type` says how its text is read and what value it becomes. */
export type FlagDefinition =
  | StringFlag
  | PathFlag
  | IpFlag
  | IntFlag
  | FloatFlag
  | BoolFlag
  | DurationFlag
  | StringListFlag
  | KeyValueFlag;

/** Flags by name, without the dashes, in the order `--help` shows them within a group. */
export type FlagTable = Readonly<Record<string, FlagDefinition>>;

type Choice<D> = D extends { readonly choices: readonly (infer C)[] } ? C : string;

type Scalar<D> = D extends { readonly type: "int" | "float" | "duration" } ? number : Choice<D>;

/** The type of one flag's value: lists and maps are never absent, scalars without a default may be. */
export type FlagValue<D> = D extends { readonly type: "bool" }
  ? boolean
  : D extends { readonly type: "stringList" }
    ? readonly Choice<D>[]
    : D extends { readonly type: "keyValue" }
      ? ReadonlyMap<string, string>
      : D extends { readonly type: "path" }
        ? D extends { readonly default: infer P }
          ? P extends ""
            ? string | undefined
            : string
          : string | undefined
        : D extends { readonly default: unknown }
          ? Scalar<D>
          : Scalar<D> | undefined;

/** The values of a table, by flag name. Flags without an effect have none: no code may depend on them. */
export type FlagValues<T extends FlagTable> = {
  readonly [N in keyof T as T[N] extends { readonly unsupported: string } | { readonly ignored: string }
    ? never
    : N]: FlagValue<T[N]>;
};
