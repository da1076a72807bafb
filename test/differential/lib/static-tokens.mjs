// The users whom both servers of `start-with-roles.mjs` know by tokens of a file.

/** The number of users who may impersonate others, once an area gives them roles: `impersonator-0` and so on. */
export const impersonatorCount = 24;

/** The lines of the file: token, user, uid and groups. */
export const tokenLines = [
  'admin-token,kubernetes-admin,admin-uid,"system:masters"',
  'user-token,jane,jane-uid,"developers"',
  ...Array.from({ length: impersonatorCount }, (_, i) => `${tokenOf(i)},impersonator-${i},uid-${i},"impersonators"`),
];

/** The token of the impersonator with that number. */
export function tokenOf(i) {
  return `impersonator-${i}-token`;
}
