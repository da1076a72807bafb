import { OpaqueValue } from "../../values/value.js";

/** The value of `google.protobuf.Empty{}`, which has no fields. */
export class EmptyMessage extends OpaqueValue {
  readonly typeName = "google.protobuf.Empty";

  equals(other: OpaqueValue): boolean {
    return other instanceof EmptyMessage;
  }
}
