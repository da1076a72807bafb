import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigurationError, type Problem, problemAt } from "../problems/configuration-error.js";
import type { ClientAuthorization, ClientConfig } from "./client-config.js";

/** Where a kubeconfig stands and which of its contexts is meant. */
export interface ParseKubeconfigOptions {
  /** File the text came from: names problems, and relative file names in it are relative to its folder. */
  readonly path: string;
  /** Context to use instead of `current-context`. */
  readonly context?: string;
  /** Reads a file named in the kubeconfig. */
  readonly readFile?: (path: string) => Promise<string>;
}

/** Reads a kubeconfig file. Throws ConfigurationError with every problem, also when the file itself cannot be read. */
export async function loadKubeconfig(path: string, options: { readonly context?: string } = {}): Promise<ClientConfig> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new ConfigurationError("kubeconfig", [problemAt(path, `cannot be read (${errorCode(error)})`)]);
  }
  return await parseKubeconfig(text, { path, ...options });
}

/**
 * Turns the text of a kubeconfig (YAML or JSON) into what a client needs. The rules are those of client-go: inline data
 * wins over a file, and an authority may not be combined with `insecure-skip-tls-verify`. What this client cannot do
 * (proxies, exec plugins, auth providers, impersonation) is a problem, not something to ignore.
 * Throws ConfigurationError with every problem.
 */
export async function parseKubeconfig(text: string, options: ParseKubeconfigOptions): Promise<ClientConfig> {
  const problems: Problem[] = [];
  const add = (path: string, what: string): void => {
    problems.push(problemAt(path, what));
  };
  const read = options.readFile ?? ((path: string) => readFile(path, "utf8"));
  const folder = dirname(options.path);

  /** The content of `<key>-data` or of the file that `<key>` names. */
  async function pem(section: Section, key: string): Promise<string | undefined> {
    const data = section.string(`${key}-data`);
    if (data !== undefined) {
      const decoded = Buffer.from(data, "base64").toString("utf8");
      if (!decoded.includes("-----BEGIN ")) {
        add(`${section.path}.${key}-data`, "is not base64 of PEM text");
      }
      return decoded;
    }
    const file = section.string(key);
    if (file === undefined) {
      return undefined;
    }
    try {
      return await read(resolve(folder, file));
    } catch (error) {
      add(`${section.path}.${key}`, `${file} cannot be read (${errorCode(error)})`);
      return undefined;
    }
  }

  const document = await parseYaml(text, add);
  const root = createSection("", document, add);
  const contextName = options.context ?? root.string("current-context");
  if (document !== undefined && contextName === undefined) {
    add("current-context", "must name a context");
  }
  const context = findNamed(root, "contexts", "context", contextName, add);
  const cluster = findNamed(root, "clusters", "cluster", context?.requiredString("cluster"), add);
  const user = findNamed(root, "users", "user", context?.string("user"), add);

  const server = cluster === undefined ? undefined : parseServer(cluster, add);
  const authority = cluster === undefined ? undefined : await pem(cluster, "certificate-authority");
  const insecureSkipTlsVerify = cluster?.boolean("insecure-skip-tls-verify") ?? false;
  const tlsServerName = cluster?.string("tls-server-name");
  if (cluster !== undefined && authority !== undefined && insecureSkipTlsVerify) {
    add(`${cluster.path}.insecure-skip-tls-verify`, "cannot be combined with a certificate authority");
  }
  cluster?.refuse("proxy-url", "connections through a proxy are not supported");
  user?.refuse("exec", "credential plugins are not supported here");
  user?.refuse("auth-provider", "auth providers are not supported");
  user?.refuse("as", "impersonation is not supported here");

  const certificatePem = user === undefined ? undefined : await pem(user, "client-certificate");
  const keyPem = user === undefined ? undefined : await pem(user, "client-key");
  const declared = (key: string) => user?.string(key) !== undefined || user?.string(`${key}-data`) !== undefined;
  if (user !== undefined && declared("client-certificate") !== declared("client-key")) {
    add(user.path, "client-certificate and client-key must be given together");
  }
  const authorization = user === undefined ? undefined : parseAuthorization(user, folder, add);
  const namespace = context?.string("namespace");

  if (problems.length > 0 || server === undefined) {
    throw new ConfigurationError(options.path, problems);
  }
  return {
    server,
    insecureSkipTlsVerify,
    ...(authority === undefined ? {} : { certificateAuthorityPem: authority }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(certificatePem === undefined || keyPem === undefined ? {} : { clientCertificate: { certificatePem, keyPem } }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

type AddProblem = (path: string, what: string) => void;

/** One map of the document, read key by key with problems reported at their path. Empty strings count as absent. */
interface Section {
  readonly path: string;
  string(key: string): string | undefined;
  requiredString(key: string): string | undefined;
  boolean(key: string): boolean | undefined;
  list(key: string): readonly unknown[];
  refuse(key: string, reason: string): void;
}

function createSection(path: string, value: unknown, add: AddProblem): Section {
  const fields: ReadonlyMap<string, unknown> = new Map(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
  const at = (key: string) => (path === "" ? key : `${path}.${key}`);
  function string(key: string): string | undefined {
    const field = fields.get(key) ?? undefined;
    if (field !== undefined && typeof field !== "string") {
      add(at(key), "must be a string");
      return undefined;
    }
    return field === "" ? undefined : field;
  }
  return {
    path,
    string,
    requiredString(key) {
      if ((fields.get(key) ?? "") === "") {
        add(at(key), "is required");
        return undefined;
      }
      return string(key);
    },
    boolean(key) {
      const field = fields.get(key) ?? undefined;
      if (field !== undefined && typeof field !== "boolean") {
        add(at(key), "must be true or false");
        return undefined;
      }
      return field;
    },
    list(key) {
      const field = fields.get(key) ?? [];
      if (!Array.isArray(field)) {
        add(at(key), "must be a list");
        return [];
      }
      return field;
    },
    refuse(key, reason) {
      const field = fields.get(key) ?? "";
      if (field !== "") {
        add(at(key), reason);
      }
    },
  };
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
    // The first line says what and where; the rest quotes the source, which may be a secret.
    const [what] = error instanceof Error ? error.message.split("\n") : [];
    add("kubeconfig", `is not valid YAML: ${what ?? "unknown cause"}`);
  }
  return undefined;
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

function parseServer(cluster: Section, add: AddProblem): URL | undefined {
  const text = cluster.requiredString("server");
  if (text === undefined) {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:") || url.username !== "") {
    add(`${cluster.path}.server`, "must be a URL such as https://example.com:6443/path");
    return undefined;
  }
  return url;
}

function parseAuthorization(user: Section, folder: string, add: AddProblem): ClientAuthorization | undefined {
  const token = user.string("token");
  const tokenFile = user.string("tokenFile");
  const username = user.string("username");
  const password = user.string("password");
  if ((token !== undefined || tokenFile !== undefined) && username !== undefined) {
    add(user.path, "more than one authentication method: token and username");
  }
  // client-go: the file wins, the token is what serves until the file can be read.
  if (tokenFile !== undefined) {
    return { kind: "tokenFile", path: resolve(folder, tokenFile) };
  }
  if (token !== undefined) {
    return { kind: "token", token };
  }
  return username === undefined ? undefined : { kind: "basic", username, password: password ?? "" };
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
}
