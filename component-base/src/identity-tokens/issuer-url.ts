/** Returns the problems of an issuer's URL; none for an empty one. */
export function issuerProblems(issuerUrl: string): readonly string[] {
  if (issuerUrl === "") {
    return [];
  }
  if (!URL.canParse(issuerUrl)) {
    return [`${JSON.stringify(issuerUrl)} is no URL`];
  }
  const { protocol, username, password, search, hash } = new URL(issuerUrl);
  return [
    ...(protocol === "https:" ? [] : ["URL scheme must be https"]),
    ...(username === "" && password === "" ? [] : ["URL must not contain a username or password"]),
    ...(search === "" ? [] : ["URL must not contain a query"]),
    ...(hash === "" ? [] : ["URL must not contain a fragment"]),
  ];
}
