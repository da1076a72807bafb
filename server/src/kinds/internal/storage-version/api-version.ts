import { validateDns1035Label, validateDns1123Subdomain } from "@gatehouse/envelopes/validation";

const form =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
  "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') " +
  "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

/** Returns the problems of an API version: `v1` or `group/v1`. */
export function apiVersionProblems(apiVersion: string): string[] {
  const parts = apiVersion.split("/");
  const version = parts.pop() ?? "";
  const [group] = parts;
  if (parts.length > 1) {
    return [form];
  }
  const problems: string[] = [];
  if (group !== undefined) {
    problems.push(...partProblems("group part: ", group, validateDns1123Subdomain(group)));
  }
  problems.push(...partProblems("version part: ", version, validateDns1035Label(version)));
  return problems;
}

function partProblems(prefix: string, part: string, problems: readonly string[]): string[] {
  return (part === "" ? ["must be non-empty"] : problems).map((problem) => `${prefix}${problem}`);
}
