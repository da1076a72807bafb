import { defineFlags } from "@gatehouse/component-base/flags";

/** Holds the secret of a confidential client, for those who keep no file. */
export const clientSecretVariable = "GATEHOUSE_OIDC_CLIENT_SECRET";

/** Flags of `gatehouse-credential-oidc`, named as kube-apiserver names its own (without `oidc-`). */
export const oidcFlags = defineFlags({
  "issuer-url": {
    type: "string",
    group: "Provider",
    help: "`https` URL of the identity provider, exactly as it stands in its tokens. Required.",
  },
  "client-id": { type: "string", group: "Provider", help: "Client that the provider knows this program as. Required." },
  "client-secret-file": {
    type: "path",
    group: "Provider",
    help: `\`file\` with the secret of a confidential client; or put it into the variable ${clientSecretVariable}. Public clients have none.`,
  },
  "ca-file": {
    type: "path",
    group: "Provider",
    help: "`file` with the authorities (PEM) that may sign the provider's certificate. Default: those of the host.",
  },
  "proxy-url": { type: "string", group: "Provider", help: "Proxy through which the provider is called." },
  grant: {
    type: "string",
    choices: ["authorization-code", "device-code", "client-credentials"],
    default: "authorization-code",
    group: "Login",
    help: "How to log in: with a browser on this machine; with a browser anywhere, by a code; or as the client itself, without a person.",
  },
  scopes: {
    type: "stringList",
    default: ["openid"],
    group: "Login",
    help: "Scopes to ask for. offline_access is added when the provider offers it, so that a login lasts.",
  },
  "extra-parameters": {
    type: "keyValue",
    group: "Login",
    help: "Further parameters of the first request of a login, such as audience=... or resource=...",
  },
  token: {
    type: "string",
    choices: ["id-token", "access-token"],
    group: "Login",
    help: "Which token is sent to the cluster. Default: id-token; access-token for client-credentials.",
  },
  user: {
    type: "string",
    default: "",
    group: "Login",
    help: "Who is to log in: suggested to the provider, and a login as anybody else (by sub, email or preferred_username) is refused. Logins of several users are kept apart by it.",
  },
  "login-timeout": {
    type: "duration",
    default: "5m",
    min: 1000,
    group: "Login",
    help: "Longest time that a person may take to log in.",
  },
  "callback-port": {
    type: "int",
    default: 0,
    min: 0,
    max: 65_535,
    group: "Login",
    help: "Port on 127.0.0.1 to which the browser returns (http://127.0.0.1:PORT/callback); 0 means a free one.",
  },
  "open-browser": {
    type: "bool",
    default: true,
    group: "Login",
    help: "Open the browser; otherwise the address is only printed.",
  },
});
