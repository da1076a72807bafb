import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { exportJWK, generateKeyPair } from "jose";
import { type ClientMetadata, Provider } from "oidc-provider";

/** A provider, and what it has seen. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly certificateAuthorityPem: string;
  /** The grant types that its token endpoint was asked for, in order. */
  readonly grants: string[];
  /** Every token, code and secret that it has given out, to look for where none may be. */
  readonly secrets: readonly string[];
  /** Called when the token endpoint is asked, before it answers; may change the answer. */
  onToken?: ((context: TokenContext, next: () => Promise<void>) => Promise<void>) | undefined;
}

/** The parts of the token endpoint's answer that tests look at. */
export interface TokenContext {
  status: number;
  body: unknown;
}

export const clientSecret = "a-secret-of-a-robot-0123456789";

const clients: ClientMetadata[] = [
  {
    client_id: "kubectl",
    token_endpoint_auth_method: "none",
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    redirect_uris: ["http://127.0.0.1/callback"],
  },
  {
    client_id: "robot",
    client_secret: clientSecret,
    grant_types: ["client_credentials"],
    response_types: [],
    redirect_uris: [],
  },
];

/** A real identity provider (npm oidc-provider) over HTTPS in this process, which lets `alice` in without asking. */
export async function startTestProvider(): Promise<TestProvider> {
  const pki = await createPki();
  const server = createServer({ cert: pki.server.certificatePem, key: pki.server.keyPem });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grants: string[] = [];
  const secrets: string[] = [clientSecret];
  const provider = new Provider(issuer, {
    clients,
    jwks: { keys: [await signingKey()] },
    cookies: { keys: ["test"] },
    scopes: ["openid", "offline_access", "email"],
    claims: { openid: ["sub", "email", "preferred_username", "groups"] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: { IdToken: 3600, AccessToken: 3600, ClientCredentials: 600, RefreshToken: 86_400 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async () => ({
        sub: accountId,
        email: `${accountId}@example.com`,
        preferred_username: accountId,
        groups: ["developers"],
      }),
    }),
  });
  const running: Pick<TestProvider, "onToken"> = {};
  provider.use(async (context, next) => {
    if (context.path !== "/token") {
      await next();
      if (context.path === "/device/auth") {
        Object.assign(context.body, { interval: 1 });
      }
      return;
    }
    await (running.onToken?.(context, next) ?? next());
    grants.push(String(context.oidc?.params?.["grant_type"]));
    const body = Object.assign({}, context.body) as Readonly<Record<string, unknown>>;
    secrets.push(...["access_token", "id_token", "refresh_token"].flatMap((name) => String(body[name] ?? []) || []));
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    const interaction = request.url?.startsWith("/interaction/") ?? false;
    const done = interaction ? letIn(provider, request, response) : answer(request, response);
    done.catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  return Object.assign(running, {
    issuer,
    certificateAuthorityPem: pki.authority.certificatePem,
    grants,
    secrets,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  });
}

/** Logs `alice` in, and consents for her. */
async function letIn(
  provider: Provider,
  ...[request, response]: Parameters<Provider["interactionDetails"]>
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "alice" } });
    return;
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params["client_id"]) });
  grant.addOIDCScope(String(params["scope"]));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

async function signingKey(): Promise<Awaited<ReturnType<typeof exportJWK>>> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), use: "sig", alg: "RS256", kid: "test" };
}

async function createPki(): Promise<{ readonly authority: CertificateAndKey; readonly server: CertificateAndKey }> {
  const day = 86_400_000;
  const lifetime = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
  const authority = await issueCertificate({ subject: { kind: "authority", commonName: "test-ca" }, ...lifetime });
  const subject = {
    kind: "server",
    commonName: "provider",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
  } as const;
  return { authority, server: await issueCertificate({ subject, issuer: authority, ...lifetime }) };
}
