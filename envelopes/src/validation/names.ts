/*
 * The rules for names, labels and annotation keys (RFC 1035, RFC 1123), with the messages
 * that kubectl users know. Each check returns what is wrong as text; nothing when the value is fine. Lengths are bytes.
 */

/** A check of one value. */
export type ValidateValue = (value: string) => string[];

/** A check of an object's name; `isPrefix` for a generateName, to which the server will append characters. */
export type ValidateName = (name: string, isPrefix?: boolean) => string[];

const label1123 = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualifiedName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValue = `(${qualifiedName})?`;

const label1123Pattern = new RegExp(`^${label1123}$`);
const subdomain1123Pattern = new RegExp(`^${subdomain1123}$`);
const label1035Pattern = new RegExp(`^${label1035}$`);
const qualifiedNamePattern = new RegExp(`^${qualifiedName}$`);
const labelValuePattern = new RegExp(`^${labelValue}$`);

// What nearly every value matches is found out at once; the checks below say what is wrong with the others.
const plainName = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** The pattern of a qualified name with a prefix, as most are; the length is checked separately. */
const prefixedName = new RegExp(`^${subdomain1123}/[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`);
const maxPrefixLength = 253;

/** Checks an RFC 1123 label: names of namespaces and the like, at most 63 bytes. */
export const validateDns1123Label: ValidateValue = (value) => {
  // Only ASCII matches, so that characters are bytes.
  if (value.length <= 63 && label1123Pattern.test(value)) {
    return [];
  }
  const problems = validateLength(value, 63);
  if (!label1123Pattern.test(value)) {
    problems.push(
      subdomain1123Pattern.test(value)
        ? "must not contain dots"
        : mismatch(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            label1123,
            ["my-name", "123-abc"],
          ),
    );
  }
  return problems;
};

/** Checks an RFC 1123 subdomain: the names of most kinds, at most 253 bytes. */
export const validateDns1123Subdomain: ValidateValue = (value) => {
  if (value.length <= 253 && subdomain1123Pattern.test(value)) {
    return [];
  }
  const problems = validateLength(value, 253);
  if (!subdomain1123Pattern.test(value)) {
    problems.push(
      mismatch(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomain1123,
        ["example.com"],
      ),
    );
  }
  return problems;
};

/** Checks an RFC 1035 label: names of services, at most 63 bytes. */
export const validateDns1035Label: ValidateValue = (value) => {
  const problems = validateLength(value, 63);
  if (!label1035Pattern.test(value)) {
    problems.push(
      mismatch(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        label1035,
        ["my-name", "abc-123"],
      ),
    );
  }
  return problems;
};

/** Checks a qualified name, `name` or `subdomain.prefix/name`: label keys, finalizers, condition types. */
export const validateQualifiedName: ValidateValue = (value) => {
  if (plainName.test(value) || (value.length <= maxPrefixLength && prefixedName.test(value))) {
    return [];
  }
  const parts = value.split("/");
  if (parts.length > 2) {
    return [
      `a qualified name ${qualifiedNameMismatch()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const name = parts.pop() ?? "";
  const prefix = parts[0];
  if (prefix === "") {
    problems.push("prefix part must be non-empty");
  } else if (prefix !== undefined) {
    problems.push(...validateDns1123Subdomain(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === "") {
    problems.push("name part must be non-empty");
  } else {
    problems.push(...validateLength(name, 63).map((problem) => `name part ${problem}`));
  }
  if (!qualifiedNamePattern.test(name)) {
    problems.push(`name part ${qualifiedNameMismatch()}`);
  }
  return problems;
};

/** Checks the value of a label: empty or at most 63 bytes of a restricted alphabet. */
export const validateLabelValue: ValidateValue = (value) => {
  if (value === "" || plainName.test(value)) {
    return [];
  }
  const problems = validateLength(value, 63);
  if (!labelValuePattern.test(value)) {
    problems.push(
      mismatch(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        labelValue,
        ["MyValue", "my_value", "12345"],
      ),
    );
  }
  return problems;
};

/** Checks the key of an annotation: a qualified name whose case does not matter. */
export const validateAnnotationKey: ValidateValue = (key) => validateQualifiedName(key.toLowerCase());

const unfitForPath = /[/%]|^\.\.?$/;

/** Checks a name of any kind: it must be one segment of a URL path. */
export const validatePathSegmentName: ValidateName = (name, isPrefix = false) => {
  if (!unfitForPath.test(name)) {
    return [];
  }
  if (!isPrefix && (name === "." || name === "..")) {
    return [`may not be '${name}'`];
  }
  return ["/", "%"]
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
};

/** Checks names that are RFC 1123 subdomains. */
export const validateSubdomainName: ValidateName = (name, isPrefix = false) =>
  validateDns1123Subdomain(stem(name, isPrefix));

/** Checks names that are RFC 1123 labels. */
export const validateLabelName: ValidateName = (name, isPrefix = false) => validateDns1123Label(stem(name, isPrefix));

/** Checks names that are RFC 1035 labels. */
export const validateDns1035Name: ValidateName = (name, isPrefix = false) => validateDns1035Label(stem(name, isPrefix));

/** Returns the part of a name to check: a generateName may end with a dash, since characters follow. */
function stem(name: string, isPrefix: boolean): string {
  return isPrefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

function validateLength(value: string, maxBytes: number): string[] {
  return Buffer.byteLength(value) > maxBytes ? [`must be no more than ${maxBytes} characters`] : [];
}

function qualifiedNameMismatch(): string {
  return mismatch(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    qualifiedName,
    ["MyName", "my.name", "123-abc"],
  );
}

function mismatch(rule: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`;
}

const configMapKey = "[-._a-zA-Z0-9]+";
const configMapKeyPattern = new RegExp(`^${configMapKey}$`);

/** Checks a key of a ConfigMap or Secret, which becomes the name of a file when it is mounted: at most 253 bytes. */
export const validateConfigMapKey: ValidateValue = (value) => {
  const problems = validateLength(value, 253);
  if (!configMapKeyPattern.test(value)) {
    problems.push(
      mismatch("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", configMapKey, [
        "key.name",
        "KEY_NAME",
        "key-name",
      ]),
    );
  }
  if (value === "." || value === "..") {
    problems.push(`must not be '${value}'`);
  } else if (value.startsWith("..")) {
    problems.push("must not start with '..'");
  }
  return problems;
};
