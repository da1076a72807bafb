export { LinkedList, ListElement } from "./linked-list.js";
