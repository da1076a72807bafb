import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type ConfigDocument, checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError, type Problem, problemAt } from "@gatehouse/component-base/problems";
import { DecodeError, parseTime } from "@gatehouse/envelopes/codec";
import type { gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";
import type { Converter } from "../conversion/converter.js";
import type { Hook } from "../hooks/hook.js";
import { libraryHook } from "../library/library-hook.js";
import { type ExpiredException, expiredExceptions } from "./expired-exceptions.js";
import { withStrictness } from "./hook-mode.js";

type Configuration = gatehouseadmissionV1alpha1.AdmissionServerConfiguration;
type HookConfiguration = gatehouseadmissionV1alpha1.HookConfiguration;

/** Sources of hooks for `loadHooks()`. */
export interface HookSources {
  /** Path of a document of kind AdmissionServerConfiguration. */
  readonly configFile?: string | undefined;
  /** Paths of JavaScript modules that export `hooks`, and perhaps `converters`. */
  readonly modules?: readonly string[];
  /** Returns the present in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** The hooks and converters that an admission server serves. */
export interface LoadedHooks {
  readonly hooks: readonly Hook[];
  readonly converters: readonly Converter[];
  /** Exceptions of the configuration that have expired, so that they no longer apply. */
  readonly expired: readonly ExpiredException[];
}

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "AdmissionServerConfiguration" };

/**
 * Loads the hooks of the modules, and those that a configuration document names, with the modes and exceptions that it
 * states. Rejects with ConfigurationError, which lists every problem with its path.
 *
 * @example
 * const { hooks, converters } = await loadHooks({ configFile: "hooks.yaml" });
 */
export async function loadHooks(sources: HookSources): Promise<LoadedHooks> {
  const document = sources.configFile === undefined ? undefined : await readConfigFile(sources.configFile);
  const configuration: Configuration =
    document === undefined ? {} : await checkConfigDocument<Configuration>(document, [kind]);
  const files = [
    ...(sources.modules ?? []).map((file) => resolve(file)),
    ...(configuration.modules ?? []).map((file) => resolve(document?.folder ?? ".", file)),
  ];
  const modules = await Promise.all(files.map(loadModule));
  const hooks = modules.flatMap((module) => module.hooks);
  const converters = modules.flatMap((module) => module.converters);
  if (document === undefined) {
    return { hooks: unique(hooks, "modules"), converters, expired: [] };
  }
  const configurations = configuration.hooks ?? [];
  const configured = configure(hooks, configurations, document);
  return { hooks: configured, converters, expired: expiredIn(configurations, (sources.now ?? Date.now)()) };
}

function expiredIn(configurations: readonly HookConfiguration[], nowMs: number): readonly ExpiredException[] {
  return configurations.flatMap(({ mode, exceptions = [] }, index) =>
    mode === "Off" ? [] : expiredExceptions(exceptions, `hooks[${index}].exceptions`, nowMs),
  );
}

async function loadModule(file: string): Promise<Pick<LoadedHooks, "hooks" | "converters">> {
  const refuse = (text: string): ConfigurationError => new ConfigurationError(file, [problemAt("module", text)]);
  let loaded: { readonly hooks?: unknown; readonly converters?: unknown };
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    throw refuse(`cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { hooks = [], converters = [] } = loaded;
  if (loaded.hooks === undefined && loaded.converters === undefined) {
    throw refuse("exports neither `hooks` nor `converters`");
  }
  if (!isListWith(hooks, "handler") || !isListWith(converters, "convert")) {
    throw refuse("must export `hooks`, a list of what validatingHook() and mutatingHook() return");
  }
  return { hooks: hooks as readonly Hook[], converters: converters as readonly Converter[] };
}

function isListWith(value: unknown, member: string): boolean {
  return (
    Array.isArray(value) && value.every((item) => typeof item === "object" && typeof item?.[member] === "function")
  );
}

function configure(
  hooks: readonly Hook[],
  configurations: readonly HookConfiguration[],
  { subject }: ConfigDocument,
): readonly Hook[] {
  const problems: Problem[] = [];
  const byName = new Map(hooks.map((hook) => [hook.name, hook]));
  const left = new Map(byName);
  const configured: Hook[] = [];
  for (const [index, configuration] of configurations.entries()) {
    const path = `hooks[${index}]`;
    try {
      const hook = hookOf(configuration, byName);
      left.delete(configuration.name);
      problems.push(...exceptionProblems(configuration, path));
      if (configuration.mode !== "Off" && problems.length === 0) {
        const { mode = "Enforce", exceptions = [] } = configuration;
        configured.push(withStrictness(hook, { mode, exceptions }));
      }
    } catch (error) {
      if (!(error instanceof TypeError)) {
        throw error;
      }
      problems.push(problemAt(path, error.message));
    }
  }
  if (problems.length > 0) {
    throw new ConfigurationError(subject, problems);
  }
  return unique([...left.values(), ...configured], subject);
}

function hookOf(configuration: HookConfiguration, byName: ReadonlyMap<string, Hook>): Hook {
  const { name, library } = configuration;
  const known = byName.get(name);
  if (library !== undefined && library !== null) {
    if (known !== undefined) {
      throw new TypeError(`a module has a hook ${name} already`);
    }
    return libraryHook(name, library);
  }
  if (known === undefined) {
    throw new TypeError(`no module has a hook ${name}, and it names none of the library`);
  }
  return known;
}

function exceptionProblems({ exceptions = [] }: HookConfiguration, path: string): Problem[] {
  return exceptions.flatMap(({ expires, namespaces = [], names = [], users = [] }, index) => {
    const at = `${path}.exceptions[${index}]`;
    const problems: Problem[] = [];
    try {
      parseTime(String(expires));
    } catch (error) {
      if (!(error instanceof DecodeError)) {
        throw error;
      }
      problems.push(problemAt(`${at}.expires`, "is not a time in RFC 3339, such as 2030-01-31T00:00:00Z"));
    }
    if (namespaces.length + names.length + users.length === 0) {
      problems.push(problemAt(at, "must say for which namespaces, names or users it is; to except all, set the mode"));
    }
    return problems;
  });
}

function unique(hooks: readonly Hook[], subject: string): readonly Hook[] {
  const names = hooks.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) {
    throw new ConfigurationError(
      subject,
      twice.map((name) => problemAt("hooks", `there are two hooks ${name}`)),
    );
  }
  return hooks;
}
