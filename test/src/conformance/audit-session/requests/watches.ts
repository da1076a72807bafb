import { get, mediaHeaders, type Step } from "../step.js";

const none = "labelSelector=run%3Dnone";

/** Watches: they end by themselves, by the client, or with an error before they begin. */
export function watches(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const watched = `${maps}?watch=1&${none}`;
  const deprecated = `/api/v1/watch/namespaces/${tag}/configmaps`;
  return [
    get(`${maps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dx`),
    get(`${maps}?watch=true&timeoutSeconds=1&${none}`, mediaHeaders.table),
    get(`${maps}?watch=true&timeoutSeconds=1&${none}`, { accept: "application/vnd.kubernetes.protobuf;stream=watch" }),
    get(`${maps}?watch=true&timeoutSeconds=1&${none}`, { accept: "application/json;stream=watch" }),
    get(`${watched}&timeoutSeconds=1&allowWatchBookmarks=1`),
    get(`/apis/apps/v1/deployments?watch=1&timeoutSeconds=1&${none}`),
    get(`${maps}/none?watch=1&timeoutSeconds=1`),
    { method: "HEAD", path: `${watched}&timeoutSeconds=1` },
    { ...get(watched), leaves: true },
    { ...get(`${deprecated}?timeoutSeconds=1&${none}`), leaves: true },
    get(`${deprecated}/none?timeoutSeconds=1`),
    get("/api/v1/watch/configmaps/a/b/c?timeoutSeconds=1"),
    get(`${maps}?watch=false&${none}`),
    get(`${maps}?watch=1&resourceVersion=odd`),
    get(`${maps}?watch=1&resourceVersionMatch=odd`),
    get(`${maps}?watch=1&timeoutSeconds=odd`),
    get(`${watched}&sendInitialEvents=true`),
    { ...get(watched), as: "anonymous" },
    { ...get(watched), as: "nobody" },
    { ...get(`${maps}?watch=1`), as: "jane" },
    get(`${watched}&timeoutSeconds=1`, { "impersonate-user": "bob", "impersonate-group": "system:masters" }),
    { ...get(`${maps}?watch=1&timeoutSeconds=1`, { "impersonate-user": "bob" }), as: "jane" },
  ];
}
