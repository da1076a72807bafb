import { readFile } from "node:fs/promises";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { certificatesOf } from "@gatehouse/component-base/tls";
import { clientSecretVariable, type oidcFlags } from "./oidc-flags.js";

/** One login at one provider: what the flags say, checked. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly certificateAuthorityPem?: string;
  readonly proxyUrl?: URL;
  readonly grant: "authorization-code" | "device-code" | "client-credentials";
  readonly scopes: readonly string[];
  readonly extraParameters: ReadonlyMap<string, string>;
  readonly token: "id-token" | "access-token";
  readonly user?: string;
  readonly loginTimeoutMs: number;
  readonly callbackPort: number;
  readonly openBrowser: boolean;
}

/** Parameters that the program sets itself: changing them by a flag would disable a login's protection. */
const ownParameters: ReadonlySet<string> = new Set([
  "client_id",
  "client_secret",
  "code",
  "code_challenge",
  "code_challenge_method",
  "grant_type",
  "nonce",
  "redirect_uri",
  "response_mode",
  "response_type",
  "state",
]);

/** Throws ConfigurationError with every problem. */
export async function resolveOidcSettings(
  values: FlagValues<typeof oidcFlags>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OidcSettings> {
  const problems: Problem[] = [];
  const add = (flag: string, what: string): void => {
    problems.push(problemAt(`--${flag}`, what));
  };
  const { grant, scopes, user } = values;
  const issuer = values["issuer-url"] ?? "";
  if (!isIssuer(issuer)) {
    add("issuer-url", issuer === "" ? "is required" : "must be an https URL without query and fragment");
  }
  const clientId = values["client-id"] ?? "";
  if (clientId === "") {
    add("client-id", "is required");
  }
  for (const name of values["extra-parameters"].keys()) {
    if (ownParameters.has(name)) {
      add("extra-parameters", `${name} is not for others to set`);
    }
  }
  const token = values.token ?? (grant === "client-credentials" ? "access-token" : "id-token");
  if (token === "id-token" && !scopes.includes("openid")) {
    add("scopes", "must include openid for an id-token");
  }
  const clientSecret = await readSecret(values["client-secret-file"], env, add);
  if (grant === "client-credentials" && clientSecret === undefined) {
    add("client-secret-file", "is required for client-credentials");
  }
  const certificateAuthorityPem = await readAuthorities(values["ca-file"], add);
  const proxyUrl = parseProxyUrl(values["proxy-url"], add);
  if (problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
  return {
    issuer,
    clientId,
    grant,
    scopes,
    token,
    extraParameters: values["extra-parameters"],
    loginTimeoutMs: values["login-timeout"],
    callbackPort: values["callback-port"],
    openBrowser: values["open-browser"],
    ...(user === "" ? {} : { user }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(certificateAuthorityPem === undefined ? {} : { certificateAuthorityPem }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

type AddFlagProblem = (flag: string, what: string) => void;

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "https:" && url.username === "" && !/[?#\s]/.test(text);
}

async function readSecret(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  add: AddFlagProblem,
): Promise<string | undefined> {
  if (file === undefined) {
    return env[clientSecretVariable] || undefined;
  }
  const secret = (await readFlagFile("client-secret-file", file, add))?.trim();
  if (secret === "") {
    add("client-secret-file", `${file} is empty`);
  }
  return secret;
}

async function readAuthorities(file: string | undefined, add: AddFlagProblem): Promise<string | undefined> {
  const pem = file === undefined ? undefined : await readFlagFile("ca-file", file, add);
  if (pem !== undefined && certificatesOf(pem).length === 0) {
    add("ca-file", `${file} holds no certificate in PEM`);
  }
  return pem;
}

async function readFlagFile(flag: string, file: string, add: AddFlagProblem): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
    add(flag, `${file} cannot be read (${code})`);
    return undefined;
  }
}

function parseProxyUrl(text: string | undefined, add: AddFlagProblem): URL | undefined {
  if (text === undefined || text === "") {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    add("proxy-url", "must be a URL such as http://proxy.example.com:3128");
    return undefined;
  }
  return url;
}
