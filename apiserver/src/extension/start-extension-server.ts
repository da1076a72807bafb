import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { version } from "@gatehouse/component-base/version";
import type { Authenticator } from "../authentication/authenticator.js";
import type { RequestHeaderOptions } from "../authentication/request-header.js";
import type { ApiServerExtensions, ApiServerOptions } from "../server/api-server-options.js";
import type { AdmissionOptions } from "../server/open-admission.js";
import type { AuthenticatorParts, ServerParts } from "../server/server-parts.js";
import { type ApiServer, startApiServer } from "../server/start-api-server.js";
import { followAuthenticationConfig, noAuthenticationConfig } from "./authentication-config.js";
import { type AuthenticationSources, delegatedAuthenticators } from "./delegated-authentication.js";
import { delegatedAuthorizers } from "./delegated-authorization.js";
import { delegationMetrics } from "./delegation-metrics.js";
import {
  type ExtensionPlugin,
  type ExtensionPluginParts,
  learnParamKinds,
  namesInNeedOfFront,
  withFrontObjects,
} from "./front-admission.js";
import { FrontClient } from "./front-client.js";
import { FrontObjects } from "./front-objects.js";

/** The API server in front of an extension API server, and what is asked of it. */
export interface FrontOptions {
  /** The client that reviews tokens and reads the authentication configuration (`--authentication-kubeconfig`). */
  readonly authentication?: ClientConfig | undefined;
  /** The client that reviews accesses (`--authorization-kubeconfig`). */
  readonly authorization?: ClientConfig | undefined;
  /** The client by which admission follows objects in front (`--kubeconfig`). */
  readonly objects?: ClientConfig | undefined;
  /**
   * The lookup of authorities and headers that no option names, in the ConfigMap
   * `kube-system/extension-apiserver-authentication`: `required` fails the start when it cannot be read, `tolerated` goes
   * on without. Default `required`.
   */
  readonly lookup?: "required" | "tolerated" | "skipped";
  /** The time in milliseconds for which reviews of tokens are kept; 10,000 when absent. */
  readonly tokenCacheTtlMs?: number;
  /** The time in milliseconds for which reviews of accesses that allow are kept; 10,000 when absent. */
  readonly authorizedTtlMs?: number;
  /** The time in milliseconds for which reviews of accesses that do not allow are kept; 10,000 when absent. */
  readonly unauthorizedTtlMs?: number;
  /** Paths that everybody may read; `/healthz`, `/readyz` and `/livez` when absent. */
  readonly alwaysAllowPaths?: readonly string[];
}

/** Members of the options of a server that an extension API server leaves to the API server in front. */
type LeftToFront = "authenticators" | "authorizers" | "admission" | "extend" | "anonymousAuth" | "requestHeader";

/** The options of `startExtensionServer`. */
export interface ExtensionServerOptions extends Omit<ApiServerOptions, LeftToFront> {
  readonly front: FrontOptions;
  /** The admission plugins and their configuration; none when absent. `extensionPlugins` lists those of v1.29. */
  readonly admission?: AdmissionOptions<ExtensionPluginParts> & { readonly plugins: readonly ExtensionPlugin[] };
  /**
   * Called as that of any server. With `front.objects` its `objects` and `objectSource` include those of the API server in
   * front.
   */
  readonly onServing?: NonNullable<ApiServerOptions["onServing"]>;
  /** The headers of the front proxies that `certificates.proxyCaFile` has signed; not used without that file. */
  readonly requestHeader?: RequestHeaderOptions | undefined;
}

const defaultTtlMs = 10_000;
const defaultAllowedPaths = ["/healthz", "/readyz", "/livez"];

/**
 * Starts an extension API server: one that an aggregator passes requests to. It believes the front proxy of the API server
 * in front, asks that server about tokens and accesses, and applies its namespaces, webhooks and policies to its own
 * writes. Resolves when requests are served. Rejects when the authentication configuration cannot be read, and as
 * `startApiServer` does.
 *
 * @example
 * ```ts
 * const front = await inClusterConfig(process.env);
 * await using server = await startExtensionServer({
 *   groups: [{ name: "shop.example.com", versions: ["v1"], resources: [shirts] }],
 *   front: { authentication: front, authorization: front, objects: front },
 *   admission: { plugins: extensionPlugins([]) },
 *   port: 8443,
 * });
 * ```
 */
export function startExtensionServer(options: ExtensionServerOptions): Promise<ApiServer> {
  const { front: _front, admission: _admission, ...rest } = options;
  return startApiServer({
    ...rest,
    anonymousAuth: true,
    certificates: { ...options.certificates, asksClients: true },
    extend: (server) => extensionsOf(options, server),
  });
}

/** Opens what the server asks of the one in front. */
async function extensionsOf(options: ExtensionServerOptions, server: ServerParts): Promise<ApiServerExtensions> {
  const { front, handlers, routes, onServing, healthChecks, rbac, delegation } = options;
  const { signal } = server;
  const objects = openFrontObjects(options, server);
  const sources = await authenticationSources(options, server);
  const metrics = delegationMetrics(server.metrics);
  return {
    ...(handlers && { handlers }),
    ...(routes && { routes }),
    ...(onServing && {
      onServing: (parts) => onServing(objects === undefined ? parts : { ...parts, objects, objectSource: objects }),
    }),
    ...(rbac && { rbac }),
    ...(delegation && { delegation }),
    healthChecks: async (parts) => {
      const own = typeof healthChecks === "function" ? await healthChecks(parts) : (healthChecks ?? {});
      return objects === undefined ? own : { ...own, ready: [...(own.ready ?? []), syncedCheck(objects)] };
    },
    authenticators: ({ authenticationMetrics, now }: AuthenticatorParts): readonly Authenticator[] =>
      delegatedAuthenticators({
        sources,
        tokenReviews: front.authentication,
        cacheTtlMs: front.tokenCacheTtlMs ?? defaultTtlMs,
        metrics: authenticationMetrics,
        measure: metrics.tokenReviews,
        now,
        signal,
      }),
    authorizers: delegatedAuthorizers({
      accessReviews: front.authorization,
      alwaysAllowPaths: front.alwaysAllowPaths ?? defaultAllowedPaths,
      authorizedTtlMs: front.authorizedTtlMs ?? defaultTtlMs,
      unauthorizedTtlMs: front.unauthorizedTtlMs ?? defaultTtlMs,
      measure: metrics.accessReviews,
      signal,
    }),
    admission: admissionOf(options, objects),
  };
}

function admissionOf(
  { admission = { plugins: [] } }: ExtensionServerOptions,
  objects: FrontObjects | undefined,
): AdmissionOptions<ExtensionPluginParts> {
  if (objects !== undefined) {
    return { ...admission, plugins: withFrontObjects(admission.plugins, objects) };
  }
  const needy = namesInNeedOfFront(admission.plugins);
  if (needy.length > 0) {
    throw new TypeError(`without front.objects these plugins cannot run: ${needy.join(", ")}`);
  }
  return admission;
}

function openFrontObjects(
  { front, groups, admission }: ExtensionServerOptions,
  server: ServerParts,
): FrontObjects | undefined {
  if (front.objects === undefined) {
    return undefined;
  }
  const { objects, objectSource, log, signal, features, closers } = server;
  const opened = new FrontObjects({
    client: closers.use(frontClient(front.objects)),
    ownGroups: new Set(groups.map(({ name }) => name)),
    own: objects,
    ownSource: objectSource,
    onTrouble: (path, error) => log.frontUnreachable(path, error),
    signal,
  });
  const hasPolicies = admission?.plugins.some(({ name }) => name === "ValidatingAdmissionPolicy") ?? false;
  if (hasPolicies && features.enabled("ValidatingAdmissionPolicy")) {
    learnParamKinds(opened);
  }
  return opened;
}

/** Returns the authorities and headers: those of options, and where these name none those of the ConfigMap. */
async function authenticationSources(
  options: ExtensionServerOptions,
  { certificates, log, signal, closers }: ServerParts,
): Promise<AuthenticationSources> {
  const { front, requestHeader } = options;
  const { clientCaFile, proxyCaFile } = options.certificates ?? {};
  let current = (): typeof noAuthenticationConfig => noAuthenticationConfig;
  const isComplete = clientCaFile !== undefined && proxyCaFile !== undefined;
  if (!isComplete && front.lookup !== "skipped" && front.authentication !== undefined) {
    const client = closers.use(frontClient(front.authentication));
    const isRequired = front.lookup !== "tolerated";
    current = await followAuthenticationConfig(client, { log, signal, isRequired });
  }
  const ownHeaders = requestHeader ?? noAuthenticationConfig.requestHeader;
  return {
    clientAuthorities: clientCaFile === undefined ? () => current().clientAuthorities : certificates.clientAuthorities,
    proxyAuthorities: proxyCaFile === undefined ? () => current().proxyAuthorities : certificates.proxyAuthorities,
    requestHeader: proxyCaFile === undefined ? () => current().requestHeader : () => ownHeaders,
  };
}

function frontClient(config: ClientConfig): FrontClient {
  return new FrontClient(config, `gatehouse-extension/${version}`);
}

function syncedCheck(objects: FrontObjects): { readonly name: string; readonly check: () => void } {
  return {
    name: "front-informer-sync",
    check() {
      if (objects.missing.length > 0) {
        throw new Error(`objects of the API server in front have not arrived: ${objects.missing.join(", ")}`);
      }
    },
  };
}
