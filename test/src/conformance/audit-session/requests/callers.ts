import { get, mediaHeaders, post, type Sender, type Step, send } from "../step.js";

const { merge } = mediaHeaders;

/** Requests from various users and addresses, with and without impersonation. */
export function callers(tag: string): readonly Step[] {
  return [...addresses(tag), ...auditIds(tag), ...refused(tag), ...credentials(tag), ...impersonated(tag)];
}

/** Requests with headers about the client's address and program. */
function addresses(tag: string): readonly Step[] {
  const path = `/api/v1/namespaces/${tag}/configmaps/a`;
  return [
    get(path, { "x-forwarded-for": "1.2.3.4, bad,::ffff:5.6.7.8, 2001:DB8:0::1" }),
    get(path, { "x-forwarded-for": "127.0.0.1", "x-real-ip": "010.1.1.1" }),
    get(path, { "x-forwarded-for": "1.2.3.4,5.6.7.8", "x-real-ip": "1.2.3.4" }),
    get(path, { "x-forwarded-for": " ,, 9.9.9.9:80 ,[2001:db8::1]:443,fe80::1%eth0" }),
    get(path, { "x-forwarded-for": "::1,0:0:0:0:0:0:0:1,1.2.3.4,1.2.3.4" }),
    get(path, { "x-forwarded-for": "256.1.1.1,1.2.3,1.2.3.4.5,0x1.2.3.4" }),
    get(path, { "x-forwarded-for": "", "x-real-ip": "2001:DB8::FFFF:1.2.3.4" }),
    get(path, { "x-real-ip": "not an address" }),
    get(path, { "x-real-ip": " 1.2.3.4 " }),
    get(path, { forwarded: "for=1.2.3.4" }),
    get(path, { "user-agent": "x".repeat(1024) }),
    get(path, { "user-agent": "y".repeat(1025) }),
    get(path, { "user-agent": "" }),
    get(path, { "user-agent": 'tab\t<&> "quoted" \\' }),
  ];
}

/** Audit IDs are what clients say. */
function auditIds(tag: string): readonly Step[] {
  const path = `/api/v1/namespaces/${tag}/configmaps/a`;
  return [" with spaces", "/../%2e<script>&", '"\\', "\tx", "x".repeat(64), "y".repeat(200)].map((auditIdEnd): Step => {
    return { ...get(path), auditIdEnd };
  });
}

/** Requests of unknown users, and of one without permissions. */
function refused(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const as = (sender: Sender, method: string, path: string): Step => ({ method, path, as: sender });
  return [
    as("anonymous", "GET", maps),
    as("anonymous", "DELETE", maps),
    as("anonymous", "OPTIONS", maps),
    as("anonymous", "GET", "/nothing"),
    as("nobody", "GET", maps),
    as("nobody", "GET", `${maps}/a`),
    as("nobody", "DELETE", maps),
    as("nobody", "TRACE", maps),
    as("nobody", "GET", "/version"),
    as("nobody", "GET", "/nothing"),
    { ...post(maps, "{}"), as: "nobody" },
    { ...post(maps, '{"metadata":{"name":"a"}}'), as: "jane" },
    as("jane", "DELETE", `${maps}/a`),
    { ...send("PATCH", `${maps}/a`, "{}", merge), as: "jane" },
    as("jane", "GET", "/metrics"),
    as("jane", "GET", "/apis/none.example.com/v1/things"),
  ];
}

function credentials(tag: string): readonly Step[] {
  const path = `/api/v1/namespaces/${tag}/configmaps/a`;
  return ["Basic YTpi", "Bearer", "bearer admin-token", "Bearer admin-token extra", "Bearer  admin-token"].map(
    (authorization): Step => get(path, { authorization }),
  );
}

/** One who may acts as another, with every verb; the policy sees who has authenticated. */
function impersonated(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const path = `${maps}/a`;
  const bob = { "impersonate-user": "bob", "impersonate-group": "system:masters" };
  return [
    post(maps, `{"metadata":{"name":"${tag}-bob"}}`, { ...mediaHeaders.json, ...bob }),
    get(`${maps}/${tag}-bob`, bob),
    send("PUT", `${maps}/${tag}-bob`, `{"metadata":{"name":"${tag}-bob"}}`, { ...mediaHeaders.json, ...bob }),
    send("PATCH", `${maps}/${tag}-bob`, '{"data":{"a":"1"}}', { ...merge, ...bob }),
    get(`${maps}?labelSelector=run%3Dnone`, bob),
    { method: "DELETE", path: `${maps}/${tag}-bob`, headers: bob },
    { method: "DELETE", path: `${maps}?labelSelector=run%3Dnone`, headers: bob },
    get("/api", { "impersonate-user": "bob", "impersonate-uid": "bob-uid" }),
    get("/apis/none", { "impersonate-user": "system:anonymous" }),
    get(path, { "impersonate-user": "bob" }),
    get(path, { "impersonate-user": "bob", "impersonate-group": "g", "impersonate-extra-k": "v" }),
    get(path, { "impersonate-user": "bob", "impersonate-extra-scopes%2fa": "v", "impersonate-uid": "u" }),
    get(path, { "impersonate-user": "bob", "impersonate-extra-UPPER": "V, w", "impersonate-extra-%zz": "x" }),
    get(path, { ...bob, "impersonate-extra-authentication.kubernetes.io%2fpod-name": "p", "impersonate-uid": "" }),
    get(path, { "impersonate-user": "system:serviceaccount:a:b" }),
    get(path, { "impersonate-user": "system:serviceaccount:a:" }),
    get(path, { "impersonate-user": "system:anonymous", "impersonate-group": "system:unauthenticated" }),
    get(path, { "impersonate-user": "bob", "impersonate-group": "system:authenticated" }),
    get(path, { "impersonate-user": "", "impersonate-group": "g" }),
    get(path, { "impersonate-group": "g" }),
    get(path, { "impersonate-uid": "u" }),
    get(path, { "impersonate-extra-k": "v" }),
    { ...get(path, { "impersonate-user": "bob" }), as: "jane" },
    { ...get(path, bob), as: "anonymous" },
    { ...get(path, bob), as: "nobody" },
  ];
}
