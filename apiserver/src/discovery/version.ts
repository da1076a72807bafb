import { version as productVersion } from "@gatehouse/component-base/version";

/** The answer of `/version` (version.Info): the API that is served, and the program that serves it. */
export const version = Object.freeze({
  major: "1",
  minor: "29",
  gitVersion: `v1.29.10+gatehouse.${productVersion}`,
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "2024-10-01T00:00:00Z",
  goVersion: "",
  compiler: "node",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
});

/** Line that `gatehouse-apiserver --version` prints: in the form of kube-apiserver, because test harnesses read it. */
export const versionLine = `Kubernetes ${version.gitVersion}`;
