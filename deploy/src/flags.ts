import { defineFlags } from "@gatehouse/component-base/flags";

const group = "stack";

/** A flag that adds to the command line of one process. */
function moreFlagsOf(process: string) {
  const help = `A \`flag\` for the ${process}, after those that the stack gives it. Repeatable.`;
  return { type: "stringList", keepCommas: true, group: "process", help } as const;
}

/** The flags of `gatehouse up`. */
export const upFlags = defineFlags({
  "data-dir": {
    type: "path",
    default: ".gatehouse",
    group,
    help: "The `directory` that keeps everything: certificates, keys, kubeconfig, stored objects and logs.",
  },
  port: {
    type: "int",
    default: 6443,
    min: 0,
    max: 65_535,
    group,
    help: "The port on 127.0.0.1 that the API server listens on. 0 picks a free one.",
  },
  without: {
    type: "stringList",
    choices: ["admission", "image-review", "audit-sink"],
    group,
    help: "Servers not to start: `admission`, image-review, audit-sink. The API server works without them.",
  },
  with: {
    type: "stringList",
    choices: ["authorization", "token-review"],
    group,
    help: "More servers to start: `authorization`, which decides before roles do, and token-review, which tells whose tokens of an identity provider are, and implies --with-oidc.",
  },
  "with-oidc": {
    type: "bool",
    group,
    help: "Start an identity provider with two users, too, and write a kubeconfig that logs in there.",
  },
  "server-script": {
    type: "path",
    group,
    hidden: true,
    help: "Another script to run in the place of gatehouse-apiserver.",
  },
  "apiserver-flag": moreFlagsOf("API server, such as --apiserver-flag=--v=4"),
  "admission-flag": moreFlagsOf("admission server"),
  "image-review-flag": moreFlagsOf("image-review server"),
  "authorization-flag": moreFlagsOf("authorization server"),
  "token-review-flag": moreFlagsOf("token-review server"),
  "audit-sink-flag": moreFlagsOf("audit sink"),
  "identity-provider-flag": moreFlagsOf("identity provider"),
});
