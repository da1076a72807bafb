import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { MaybePromise } from "../request/handler.js";
import type { AdmissionPlugin } from "./admission-plugin.js";

/**
 * An admission plugin before it is made: its name, and how it is made of those parts of a server that it asks for. A
 * plugin asks for parts by the type of its argument, and a server takes every plugin whose parts it has.
 *
 * @example
 * ```ts
 * const noLatest: AdmissionPluginDefinition<Pick<AdmissionParts, "log">> = {
 *   name: "NoLatest",
 *   isOnByDefault: true,
 *   make: ({ log }) => ({ name: "NoLatest", concerns: (write) => write.operation === "CREATE", validate() {} }),
 * };
 * ```
 */
export interface AdmissionPluginDefinition<P> {
  /** The name of the plugin in flags, in an AdmissionConfiguration and in metrics. */
  readonly name: string;
  /** True if the plugin runs unless it is switched off. */
  readonly isOnByDefault: boolean;
  /**
   * Makes the plugin, whose resources are released when the signal of the server aborts. Throws ConfigurationError for a
   * bad configuration. Absent for a plugin that exists by name only.
   */
  readonly make?: ((parts: P) => MaybePromise<AdmissionPlugin>) | undefined;
}

/** Names in `--enable-admission-plugins`, `--disable-admission-plugins` and `--admission-control`. */
export interface PluginSelection {
  /** All plugins that run, instead of those that the other two lists make of the defaults; empty for the other two. */
  readonly all?: readonly string[];
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

const exclusive = problemAt(
  "--admission-control",
  "admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive",
);

/**
 * Selects the plugins that a server runs, in the order of `known` regardless of the order of the flags, and lists the
 * problems of the flags.
 */
export function selectAdmissionPlugins<D extends Pick<AdmissionPluginDefinition<never>, "name" | "isOnByDefault">>(
  known: readonly D[],
  { all = [], enable, disable }: PluginSelection,
): { readonly plugins: readonly D[]; readonly problems: readonly Problem[] } {
  const names = new Set(known.map(({ name }) => name));
  const unknown = (flag: string, given: readonly string[]): readonly Problem[] =>
    given
      .filter((name) => !names.has(name))
      .map((name) => problemAt(flag, `${JSON.stringify(name)} is not an admission plugin`));
  const both = enable.filter((name) => disable.includes(name));
  return {
    plugins: known.filter(
      all.length > 0
        ? ({ name }) => all.includes(name)
        : ({ name, isOnByDefault }) => enable.includes(name) || (isOnByDefault && !disable.includes(name)),
    ),
    problems: [
      ...unknown("--admission-control", all),
      ...(all.length > 0 && enable.length + disable.length > 0 ? [exclusive] : []),
      ...unknown("--enable-admission-plugins", enable),
      ...unknown("--disable-admission-plugins", disable),
      ...both.map((name) => problemAt("--enable-admission-plugins", `${name} is also in --disable-admission-plugins`)),
    ],
  };
}
