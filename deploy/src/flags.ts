import { defineFlags } from "@gatehouse/component-base";

const group = "stack";

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
});
