/** What is wrong with a set of fields, or with a value by the schema it is merged by. The text is v1.29's. */
export class FieldsError extends Error {}
