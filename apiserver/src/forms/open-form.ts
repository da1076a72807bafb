import type { ObjectForm } from "./object-form.js";
import { TypedForm, type TypedKind } from "./typed-form.js";
import { UnstructuredForm } from "./unstructured-form.js";
import type { UnstructuredKind } from "./unstructured-kind.js";

/** Returns the form of a kind: unstructured for custom kinds, which bring their schemas and conversion. */
export function openForm(kind: TypedKind & { readonly unstructured?: UnstructuredKind }): ObjectForm {
  return kind.unstructured === undefined ? new TypedForm(kind) : new UnstructuredForm(kind, kind.unstructured);
}
