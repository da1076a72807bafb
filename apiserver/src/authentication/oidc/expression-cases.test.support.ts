/** Members of a JWTAuthenticator besides its issuer, by the names of the sets of cases that they are for. */
export const authenticators = {
  mapped: {
    claimMappings: {
      username: { expression: "claims.email" },
      groups: { expression: "claims.roles" },
      uid: { expression: "claims.id" },
      extra: [
        { key: "example.com/tenant", valueExpression: "claims.tenant" },
        { key: "example.com/list", valueExpression: "claims.list" },
      ],
    },
  },
  computed: {
    claimMappings: {
      username: { expression: "'user-' + claims.sub" },
      groups: { expression: "has(claims.roles) ? claims.roles.split(',') : ['none', '']" },
      uid: { expression: "string(claims.exp - claims.iat)" },
      extra: [{ key: "example.com/zone", valueExpression: "claims.zone.matches('^[a-z]+$') ? claims.zone : ''" }],
    },
  },
  checked: {
    claimMappings: { username: { claim: "sub", prefix: "p:" }, groups: { claim: "roles", prefix: "g:" } },
    claimValidationRules: [
      { claim: "hd", requiredValue: "example.com" },
      { expression: "claims.exp - claims.iat <= 7200", message: "the token lives too long" },
      { expression: "claims.level > 2 || claims.admin == true" },
    ],
    userValidationRules: [
      { expression: "!user.username.startsWith('p:system:')", message: "no system users" },
      { expression: "user.groups.all(g, g != 'g:root')", message: "no root" },
      { expression: "user.uid == '' && size(user.extra) == 0" },
    ],
  },
  dear: {
    claimMappings: {
      username: {
        expression:
          "claims.all(a, claims.all(b, claims.all(c, claims.all(d, claims.all(e, claims.all(f, claims.all(g, true))))))) ? 'x' : 'y'",
      },
    },
  },
} as const;

export type AuthenticatorName = keyof typeof authenticators;

const whole = { email: "jane@example.com", roles: ["a", "b"], id: "7", tenant: "t", list: ["x", "y"] };

/** Claims by what is particular about them; those of every token are added. */
export const claimCases: Readonly<Record<AuthenticatorName, Readonly<Record<string, object>>>> = {
  mapped: {
    whole,
    "a username that is a number": { ...whole, email: 5 },
    "a username that is null": { ...whole, email: null },
    "an empty username": { ...whole, email: "" },
    "no username": { ...whole, email: undefined },
    "groups that are one text": { ...whole, roles: "a" },
    "groups that are null": { ...whole, roles: null },
    "groups that are empty": { ...whole, roles: [] },
    "groups with empty texts": { ...whole, roles: ["", "a", ""] },
    "groups that are an empty text": { ...whole, roles: "" },
    "groups with a number": { ...whole, roles: ["a", 1] },
    "groups that are an object": { ...whole, roles: { a: "b" } },
    "no groups": { ...whole, roles: undefined },
    "a uid that is a number": { ...whole, id: 7 },
    "no uid": { ...whole, id: undefined },
    "an extra that is empty": { ...whole, tenant: "", list: [] },
    "an extra that is a number": { ...whole, tenant: 1 },
    "an extra that is missing": { ...whole, list: undefined },
    "an extra that is true": { ...whole, list: true },
  },
  computed: {
    "groups in one text": { roles: "a,b,,c", zone: "eu" },
    "no groups": { zone: "eu" },
    "a zone that does not match": { zone: "7" },
    "a zone that is a list": { zone: ["eu"] },
    "groups that are a list": { roles: ["a"], zone: "eu" },
  },
  checked: {
    "all met": { hd: "example.com", level: 3 },
    "met by another operand": { hd: "example.com", admin: true },
    "a number that is not whole": { hd: "example.com", level: 2.5 },
    "a condition that is false": { hd: "example.com", level: 1, admin: false },
    "a condition that fails": { hd: "example.com", level: 1 },
    "a required claim with another value": { hd: "example.org", level: 3 },
    "no required claim": { level: 3 },
    "a message": { hd: "example.com", level: 3, iat: 1 },
    "a user that is refused": { hd: "example.com", level: 3, sub: "system:admin" },
    "a group that is refused": { hd: "example.com", level: 3, roles: ["a", "root"] },
  },
  dear: { "more than the limit": { a1: 1, a2: 2, a3: 3, a4: 4, a5: 5, a6: 6 } },
};
