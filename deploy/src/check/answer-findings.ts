import { lineOf, lineOfField } from "@gatehouse/component-base/manifest-check";
import type { Finding, SourceDocument } from "@gatehouse/component-base/manifests";
import { isJsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { CheckRule } from "./check-rules.js";
import type { CheckAnswer } from "./judging-server.js";

const strictError = "strict decoding error: ";
const notDecoded = /cannot be handled as an? /;

/** Returns the findings in the answer to the write of a document: its errors, and its warnings. */
export function findingsIn(source: SourceDocument, answer: CheckAnswer): readonly Finding[] {
  const errors = answer.status < 400 ? [] : errorsIn(source, answer);
  return [...errors, ...answer.warnings.map((text) => warningFinding(source, text))];
}

function warningFinding(source: SourceDocument, text: string): Finding {
  const finding = findingAbout(source, ruleOfWarning(text), "warning", text);
  const [, field] = /^((?:spec|metadata|data|status)[^\s:]*): /.exec(text) ?? [];
  return field === undefined ? finding : { ...finding, line: lineOfField(source, field) };
}

/** Makes a finding about a whole document. */
export function findingAbout(
  source: SourceDocument,
  rule: CheckRule,
  level: Finding["level"],
  message: string,
): Finding {
  return { file: source.file, line: lineOf(source), rule, level, message };
}

/** Reports whether fields were refused before the object was looked at further. */
export function isStrictRefusal({ status, body }: CheckAnswer): boolean {
  return status === 400 && textAt(body, "message").includes(strictError);
}

function errorsIn(source: SourceDocument, { status, body }: CheckAnswer): readonly Finding[] {
  const message = textAt(body, "message") || `the server answered with HTTP ${status}`;
  const error = (rule: CheckRule, text: string, line = lineOf(source)): Finding => ({
    ...findingAbout(source, rule, "error", text),
    line,
  });
  if (status === 400 && message.includes(strictError)) {
    return fieldProblems(source, message.slice(message.indexOf(strictError) + strictError.length)).map(
      ({ text, line }) => error("fields", text, line),
    );
  }
  if (status === 400 && notDecoded.test(message)) {
    return [error("fields", message.replace(/^.*?cannot be handled as an? \w+: /s, ""), lineOfType(source, message))];
  }
  if (isAdmission(status, message)) {
    return [error("admission", message)];
  }
  const causes = listAt(body, "details", "causes").filter(isJsonObject);
  if (status === 422 && causes.length > 0) {
    return causes.map((cause) => {
      const field = textAt(cause, "field");
      const text = textAt(cause, "message");
      const isOfField = field !== "" && field !== "<nil>";
      return error(
        "validation",
        isOfField ? `${field}: ${text}` : text,
        isOfField ? lineOfField(source, field) : lineOf(source),
      );
    });
  }
  return [error(status === 404 && message.startsWith("namespaces ") ? "namespace" : "object", message)];
}

function isAdmission(status: number, message: string): boolean {
  return (
    status === 403 ||
    /^(?:admission webhook |(?:Internal error occurred: )?failed calling webhook )/.test(message) ||
    message.includes(": ValidatingAdmissionPolicy '") ||
    message.includes(" is forbidden: ")
  );
}

function ruleOfWarning(text: string): CheckRule {
  if (/\bdeprecated\b/.test(text)) {
    return "deprecation";
  }
  return text.startsWith("would violate PodSecurity") || text.startsWith("Validation failed for ")
    ? "admission"
    : "server-warning";
}

/** Splits the text of a strict decoding error into its problems: `unknown field "spec.a", unknown field "spec.b"`. */
function fieldProblems(source: SourceDocument, text: string): readonly { text: string; line: number }[] {
  const problems = text
    .replace(/^yaml: unmarshal errors:\n/, "")
    .split(/(?:, |\n)(?=\s*(?:line \d+: key |unknown field |duplicate field ))/);
  return problems.map((problem) => {
    const [, line, rest] = /^\s*line (\d+): (.*)$/s.exec(problem) ?? [];
    if (line !== undefined && rest !== undefined) {
      return { text: rest, line: source.line + Number(line) - 1 };
    }
    const [, field = ""] = /field "(.*)"$/.exec(problem) ?? [];
    return { text: problem.trim(), line: lineOfField(source, field) };
  });
}

/** Returns the line of a field of the wrong type: `json: cannot unmarshal string into Go struct field T.spec.replicas of`. */
function lineOfType(source: SourceDocument, message: string): number {
  const [, field = ""] = / into Go struct field \w+\.(\S+) of type /.exec(message) ?? [];
  return lineOfField(source, field);
}
