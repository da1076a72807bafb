// The platforms that executables are made for, by the names that Go and Kubernetes give them.

/** Platforms by name: Node's names of the system and the architecture, and the file of lmdb's native part. */
export const platforms = {
  "linux-amd64": { os: "linux", cpu: "x64", addon: "node.napi.glibc.node" },
  "linux-arm64": { os: "linux", cpu: "arm64", addon: "node.napi.glibc.node" },
  "darwin-amd64": { os: "darwin", cpu: "x64", addon: "node.napi.node" },
  "darwin-arm64": { os: "darwin", cpu: "arm64", addon: "node.napi.node" },
};

/** The name of the platform that this process runs on; undefined if there are no executables for it. */
export const ownPlatform = Object.keys(platforms).find(
  (name) => platforms[name].os === process.platform && platforms[name].cpu === process.arch,
);
