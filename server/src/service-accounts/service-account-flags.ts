import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";

const group = "Authentication";

/** The flags of tokens of service accounts, named as kube-apiserver names them. */
export const serviceAccountFlags = {
  "service-account-issuer": {
    type: "stringList",
    keepCommas: true,
    group,
    help: "Who issues tokens of service accounts: a `URL`, at which others look for the keys. Required. Given several times, the first issues tokens, and those of all are believed.",
  },
  "service-account-key-file": {
    type: "stringList",
    keepCommas: true,
    group,
    help: "`file` with keys that tokens of service accounts are verified with: RSA or ECDSA, public or private, several if need be. Required; repeatable.",
  },
  "service-account-signing-key-file": {
    type: "path",
    group,
    help: "`file` with the private key that tokens of service accounts are signed with. Required.",
  },
  "service-account-jwks-uri": {
    type: "string",
    group,
    help: "The `URL` of the public keys that /.well-known/openid-configuration tells of. Their place at this server when not given.",
  },
  "service-account-lookup": {
    type: "bool",
    default: true,
    group,
    help: "A token that is kept in a secret counts as long as the secret and the account are there.",
  },
  "service-account-max-token-expiration": {
    type: "duration",
    default: "0s",
    min: 0,
    group,
    help: "How long tokens that are asked for may be valid at most. 0 sets no bound.",
  },
  "service-account-extend-token-expiration": {
    type: "bool",
    default: true,
    group,
    help: "Tokens that are put into pods are valid for a year, and a note in the audit log tells when they should have been replaced.",
  },
} as const satisfies FlagTable;

/** The values of `serviceAccountFlags`. */
export type ServiceAccountFlagValues = FlagValues<typeof serviceAccountFlags>;
