// Who sends a request, and headers about where it comes from.

/** A header in UTF-8: Node sends a byte for each character. */
const utf8 = (text) => Buffer.from(text).toString("latin1");
const admin = { authorization: "Bearer admin-token" };
const jane = { authorization: "Bearer user-token" };

/** Returns `as` and headers of a drawn caller; mostly one who may do everything. */
export function caller(r) {
  const token = (headers) => ({ as: "none", headers });
  if (r.chance(0.65)) return r.chance(0.2) ? {} : token(admin);
  return r.pick([
    () => token(jane),
    () => token(jane),
    () => token({}),
    () =>
      token({
        authorization: r.pick([
          "Bearer unknown",
          "Basic YTpi",
          "Bearer",
          "bearer admin-token",
          "Bearer a b",
          utf8("Bearer é"),
        ]),
      }),
    () => token({ ...admin, ...impersonation(r) }),
    () => token({ ...admin, ...impersonation(r) }),
    () => token({ ...r.pick([jane, {}]), ...impersonation(r) }),
  ])();
}

function impersonation(r) {
  const users = [
    "bob",
    "bob",
    "jane",
    "system:anonymous",
    "system:serviceaccount:audit-events:default",
    "system:serviceaccount:a:",
    utf8("é"),
    "",
    "system:masters",
  ];
  return {
    ...(r.chance(0.95) && { "impersonate-user": r.pick(users) }),
    ...(r.chance(0.4) && {
      "impersonate-group": r.pick([
        "builders",
        "system:masters",
        "system:authenticated",
        "system:unauthenticated",
        "",
        "a,b",
      ]),
    }),
    ...(r.chance(0.2) && { "impersonate-uid": r.pick(["u-1", ""]) }),
    ...(r.chance(0.3) && {
      [r.pick([
        "impersonate-extra-scopes",
        "impersonate-extra-a%2Fb",
        "impersonate-extra-A.B",
        "impersonate-extra-%zz",
        "impersonate-extra-",
      ])]: r.pick(["v", "", "v, w"]),
    }),
  };
}

const addresses = [
  "1.2.3.4",
  "::1",
  "2001:DB8::1",
  "127.0.0.1",
  "::ffff:5.6.7.8",
  "256.1.1.1",
  "x",
  "",
  " 9.9.9.9 ",
  "9.9.9.9:80",
  "[::1]:80",
  "fe80::1%eth0",
  "01.2.3.4",
];
const agents = [
  "",
  "x".repeat(1024),
  "y".repeat(1025),
  'a\t"b" \\ <&>',
  "kubectl/v1.29.0 (linux/amd64) kubernetes/3f7a50f",
  "é",
  utf8("é\u0080 ☃ x"),
  utf8("é".repeat(600)),
];

/** Returns headers about the client: its program and addresses. */
export function origin(r) {
  return {
    "user-agent": r.chance(0.85) ? "differential/1.0" : r.pick(agents),
    ...(r.chance(0.15) && {
      "x-forwarded-for": Array.from({ length: 1 + r.int(3) }, () => r.pick(addresses)).join(r.pick([",", ", "])),
    }),
    ...(r.chance(0.1) && { "x-real-ip": r.pick(addresses) }),
    ...(r.chance(0.02) && { "x-remote-user": "mallory", "x-remote-group": "system:masters" }),
  };
}

/** Returns the audit ID of a request: its own, mostly a plain one; undefined for none. */
export function auditId(r, id) {
  if (r.chance(0.05)) return undefined;
  return r.chance(0.9)
    ? id
    : `${id}${r.pick([" b", '"\\', "/../%2e<script>&", "\tx", "x".repeat(64), "y".repeat(900), utf8("é"), "é"])}`;
}
