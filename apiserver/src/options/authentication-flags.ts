import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";

const group = "Authentication";

/** The flags of authentication, but for tokens of service accounts, named as kube-apiserver names them. */
export const authenticationFlags = {
  "client-ca-file": {
    type: "path",
    group,
    help: "`file` with authorities. A client certificate signed by one of them authenticates as its common name, in the groups that its organizations name.",
  },
  "token-auth-file": {
    type: "path",
    group,
    help: 'CSV `file` of static bearer tokens: token,user,uid,"group1,group2".',
  },
  "anonymous-auth": {
    type: "bool",
    default: true,
    group,
    help: "Requests without credentials are those of system:anonymous. Off whenever --authorization-mode is AlwaysAllow.",
  },
  "requestheader-client-ca-file": {
    type: "path",
    group,
    help: "`file` with authorities of front proxies. Whoever shows a certificate of one of them tells by headers who a request is from.",
  },
  "requestheader-allowed-names": {
    type: "stringList",
    group,
    help: "Common `names` of the certificates of front proxies. All names when not given.",
  },
  "requestheader-username-headers": {
    type: "stringList",
    group,
    help: "`headers` by which front proxies name the user; the first that is there counts. X-Remote-User is common.",
  },
  "requestheader-group-headers": {
    type: "stringList",
    group,
    help: "`headers` by which front proxies name groups. X-Remote-Group is common.",
  },
  "requestheader-extra-headers-prefix": {
    type: "stringList",
    group,
    help: "How `headers` begin by which front proxies tell more of the user. X-Remote-Extra- is common.",
  },
  "enable-bootstrap-token-auth": {
    type: "bool",
    default: false,
    group,
    help: "Tokens in secrets of the type bootstrap.kubernetes.io/token in kube-system let nodes in that join.",
  },
  "oidc-issuer-url": {
    type: "string",
    group,
    help: "The https `URL` of an OpenID Connect issuer whose identity tokens are believed.",
  },
  "oidc-client-id": {
    type: "string",
    group,
    help: "The audience that identity tokens must be for: this `client`, as the issuer knows it.",
  },
  "oidc-ca-file": {
    type: "path",
    group,
    help: "`file` with the authorities of the issuer's certificate. Those of this machine when not given.",
  },
  "oidc-username-claim": {
    type: "string",
    default: "sub",
    group,
    help: "The `claim` that is the user's name. With email, email_verified must not be false.",
  },
  "oidc-username-prefix": {
    type: "string",
    default: "",
    group,
    help: "What is put before user names, so that they are nobody else's: the issuer and # when not given, unless the claim is email; - puts nothing there.",
  },
  "oidc-groups-claim": {
    type: "string",
    default: "",
    group,
    help: "The `claim` that tells groups: a string or a list of strings.",
  },
  "oidc-groups-prefix": {
    type: "string",
    default: "",
    group,
    help: "What is put before groups, so that they are not those of others.",
  },
  "oidc-required-claim": {
    type: "stringList",
    keepCommas: true,
    group,
    help: "A `claim=value` that a token must have. Repeatable.",
  },
  "oidc-signing-algs": {
    type: "stringList",
    default: ["RS256"],
    group,
    help: "What identity tokens may be signed with: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.",
  },
  "oidc-last-good-max-age": {
    type: "duration",
    default: "24h0m0s",
    min: 0,
    group,
    help: "How long the keys of an issuer count that does not answer. They are kept below --data-dir for the next start.",
  },
  "authentication-config": {
    type: "path",
    group,
    help: "`file` with several issuers of identity tokens (AuthenticationConfiguration). Needs the feature StructuredAuthenticationConfiguration; instead of the flags --oidc-*.",
  },
  "authentication-token-webhook-config-file": {
    type: "path",
    group,
    help: "Kubeconfig `file` of a webhook that is asked whose a bearer token is (TokenReview).",
  },
  "authentication-token-webhook-version": {
    type: "string",
    default: "v1beta1",
    group,
    help: "The `version` of TokenReview that is sent to the webhook: v1 or v1beta1.",
  },
  "authentication-token-webhook-cache-ttl": {
    type: "duration",
    default: "2m0s",
    min: 0,
    group,
    help: "How long the answers of the webhook are remembered.",
  },
  "api-audiences": {
    type: "stringList",
    group,
    help: "`names` of this API. A token that says for whom it is must be for one of them. --service-account-issuer when not given.",
  },
} as const satisfies FlagTable;

/** The values of `authenticationFlags`. */
export type AuthenticationFlagValues = FlagValues<typeof authenticationFlags>;
