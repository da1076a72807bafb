import { readFile } from "node:fs/promises";
import { ConfigurationError } from "../errors.js";
import { type Problem, problemAt } from "../problems/problem.js";
import { yamlProblem } from "../problems/yaml-problem.js";
import type { ClientConfig, ClientIdentity } from "./client-config.js";
import { parseCluster } from "./parse-cluster.js";
import { parseUser } from "./parse-user.js";
import type { Reading } from "./read-pem.js";
import { type AddProblem, createSection, type Section } from "./section.js";

/** Path of a kubeconfig, and the context to use. */
export interface ParseKubeconfigOptions {
  /** File the text came from: names problems, and relative file names in it are relative to its folder. */
  readonly path: string;
  /** Context to use instead of `current-context`. */
  readonly context?: string;
  /** Reads a file named in the kubeconfig. */
  readonly readFile?: (path: string) => Promise<string>;
}

/** Everyone that a kubeconfig names. */
export interface KubeconfigIdentities {
  readonly users: ReadonlyMap<string, ClientIdentity>;
  /** The user of the current context, when it names one. */
  readonly current?: ClientIdentity;
}

/** Reads a kubeconfig file. Throws ConfigurationError with every problem, also when the file itself cannot be read. */
export async function loadKubeconfig(path: string, options: { readonly context?: string } = {}): Promise<ClientConfig> {
  return await parseKubeconfig(await readText(path), { path, ...options });
}

/**
 * Reads the users of a kubeconfig file without its clusters, for clients that find their servers elsewhere. Throws
 * ConfigurationError with every problem.
 */
export async function loadKubeconfigIdentities(path: string): Promise<KubeconfigIdentities> {
  const text = await readText(path);
  return await collectingProblems({ path }, async (reading) => {
    const root = readRoot(await parseYaml(text, reading.add), reading.add);
    const users = new Map<string, ClientIdentity>();
    for (const [index, entry] of root.list("users").entries()) {
      const named = createSection(`users[${index}]`, entry, reading.add);
      const name = named.requiredString("name");
      const user = named.section("user");
      if (name !== undefined) {
        users.set(name, user === undefined ? {} : await parseUser(user, undefined, reading));
      }
    }
    const contextName = root.string("current-context");
    const context = findNamed(root, "contexts", "context", contextName, reading.add);
    const current = users.get(context?.string("user") ?? "");
    return { users, ...(current === undefined ? {} : { current }) };
  });
}

/**
 * Turns the text of a kubeconfig (YAML or JSON) into what a client needs. The rules are those of client-go: inline data
 * wins over a file, and an authority may not be combined with `insecure-skip-tls-verify`. What this client cannot do
 * (auth providers, impersonation) is a problem, not something to ignore.
 * Throws ConfigurationError with every problem.
 */
export async function parseKubeconfig(text: string, options: ParseKubeconfigOptions): Promise<ClientConfig> {
  return await collectingProblems(options, async (reading) => {
    const { add } = reading;
    const document = await parseYaml(text, add);
    const root = readRoot(document, add);
    const contextName = options.context ?? root.string("current-context");
    if (document !== undefined && contextName === undefined) {
      add("current-context", "must name a context");
    }
    const context = findNamed(root, "contexts", "context", contextName, add);
    const cluster = findNamed(root, "clusters", "cluster", context?.requiredString("cluster"), add);
    const user = findNamed(root, "users", "user", context?.string("user"), add);
    const parsed = cluster === undefined ? undefined : await parseCluster(cluster, reading);
    const identity = user === undefined ? {} : await parseUser(user, parsed?.execCluster, reading);
    const namespace = context?.string("namespace");
    return parsed?.config && { ...parsed.config, ...identity, ...(namespace === undefined ? {} : { namespace }) };
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
    throw new ConfigurationError("kubeconfig", [problemAt(path, `cannot be read (${code})`)]);
  }
}

/** Returns the result of `read`. Throws ConfigurationError if it has noted problems; it returns undefined only then. */
async function collectingProblems<T>(
  options: Omit<ParseKubeconfigOptions, "context">,
  read: (reading: Reading) => Promise<T | undefined>,
): Promise<T> {
  const problems: Problem[] = [];
  const result = await read({
    ...options,
    add: (path, what) => {
      const problem = problemAt(path, what);
      // A field may be looked at more than once.
      if (!problems.some(({ message }) => message === problem.message)) {
        problems.push(problem);
      }
    },
  });
  if (problems.length > 0 || result === undefined) {
    throw new ConfigurationError(options.path, problems);
  }
  return result;
}

async function parseYaml(text: string, add: AddProblem): Promise<object | undefined> {
  const { parse } = await import("yaml");
  try {
    const document: unknown = parse(text, { maxAliasCount: 0 });
    if (typeof document === "object" && document !== null && !Array.isArray(document)) {
      return document;
    }
    add("kubeconfig", "must be a map with clusters, contexts and users");
  } catch (error) {
    add("kubeconfig", yamlProblem(error));
  }
  return undefined;
}

/** Returns the members of a kubeconfig. As for client-go, a kind and a version may be left out, but are no others. */
function readRoot(document: object | undefined, add: AddProblem): Section {
  const root = createSection("", document, add);
  for (const [name, only] of [
    ["apiVersion", "v1"],
    ["kind", "Config"],
  ] as const) {
    if ((root.string(name) || only) !== only) {
      add(name, `must be ${only}`);
    }
  }
  return root;
}

function findNamed(
  root: Section,
  listKey: string,
  entryKey: string,
  name: string | undefined,
  add: AddProblem,
): Section | undefined {
  if (name === undefined) {
    return undefined;
  }
  // Problems in entries that are not used stay unsaid, so only the entry that is found is read in full.
  for (const [index, entry] of root.list(listKey).entries()) {
    const fields = new Map(typeof entry === "object" && entry !== null ? Object.entries(entry) : []);
    if (fields.get("name") === name) {
      return createSection(`${listKey}[${index}].${entryKey}`, fields.get(entryKey), add);
    }
  }
  add(listKey, `has no entry named ${JSON.stringify(name)}`);
  return undefined;
}
