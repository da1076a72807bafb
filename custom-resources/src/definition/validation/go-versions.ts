import { goPointer, goQuote, goSlice, listAsSent } from "@gatehouse/envelopes/go";
import { booleanAt, integerAt, isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";

const pkg = "apiextensions";

/** Returns the versions of a spec as messages of v1.29 show them: in Go syntax, with fixed memory addresses. */
export function goVersions(versions: readonly JsonObject[], isStated: boolean): string {
  const type = `[]${pkg}.CustomResourceDefinitionVersion`;
  return isStated ? `${type}{${versions.map(goVersion).join(", ")}}` : `${type}(nil)`;
}

function goVersion(version: JsonObject): string {
  const members = [
    `Name:${goQuote(textAt(version, "name"))}`,
    `Served:${booleanAt(version, "served")}`,
    `Storage:${booleanAt(version, "storage")}`,
    `Deprecated:${booleanAt(version, "deprecated")}`,
    `DeprecationWarning:${goPointer("string", version["deprecationWarning"])}`,
    `Schema:${goPointer(`${pkg}.CustomResourceValidation`, version["schema"])}`,
    `Subresources:${goPointer(`${pkg}.CustomResourceSubresources`, version["subresources"])}`,
    `AdditionalPrinterColumns:${goColumns(version)}`,
  ];
  return `${pkg}.CustomResourceDefinitionVersion{${members.join(", ")}}`;
}

function goColumns(version: JsonObject): string {
  const type = `${pkg}.CustomResourceColumnDefinition`;
  const columns = listAsSent(version, "additionalPrinterColumns");
  return goSlice(type, columns, () =>
    (columns ?? []).filter(isJsonObject).map((column) => {
      const texts = ["name", "type", "format", "description"].map(
        (member) => `${member[0]?.toUpperCase()}${member.slice(1)}:${goQuote(textAt(column, member))}`,
      );
      const rest = [`Priority:${integerAt(column, "priority")}`, `JSONPath:${goQuote(textAt(column, "jsonPath"))}`];
      return `${type}{${[...texts, ...rest].join(", ")}}`;
    }),
  );
}
