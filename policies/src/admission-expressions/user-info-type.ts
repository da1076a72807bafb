import { listType, mapType, objectType, stringType } from "../cel/index.js";

/** The type of extra attributes of a user. */
export const extraType = mapType(stringType, listType(stringType));

/** The type of a user in expressions. */
export const userInfoType = objectType("kubernetes.UserInfo", {
  username: stringType,
  uid: stringType,
  groups: listType(stringType),
  extra: extraType,
});
