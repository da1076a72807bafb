export { LinkedList, ListElement } from "./linked-list.js";
export { TextMemo } from "./text-memo.js";
