import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonArray, textAt } from "@gatehouse/envelopes/json";
import { validateSimpleJsonPath } from "./json-path.js";

const types = ["boolean", "date", "integer", "number", "string"];
const formats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** Validates additional columns of `kubectl get`. */
export function validatePrinterColumns(columns: JsonArray, path: FieldPath, errors: FieldErrors): void {
  for (const [index, column] of columns.entries()) {
    if (!isJsonObject(column) || errors.isFull) {
      continue;
    }
    const at = path.index(index);
    if (textAt(column, "name") === "") {
      errors.required(at.child("name"));
    }
    const type = textAt(column, "type");
    const oneOfTypes = `must be one of ${types.join(",")}`;
    if (type === "") {
      errors.required(at.child("type"), oneOfTypes);
    } else if (!types.includes(type)) {
      errors.invalid(at.child("type"), type, oneOfTypes);
    }
    const format = textAt(column, "format");
    if (format !== "" && !formats.includes(format)) {
      errors.invalid(at.child("format"), format, `must be one of ${formats.join(",")}`);
    }
    const jsonPath = textAt(column, "jsonPath");
    if (jsonPath === "") {
      errors.required(at.child("JSONPath"));
    } else {
      validateSimpleJsonPath(jsonPath, at.child("JSONPath"), errors);
    }
  }
}
