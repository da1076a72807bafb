export { buildTable } from "./build-table.js";
export { ageOf, humanDuration, objectAge, parseTime } from "./duration.js";
export { labelMap, labelSelector, labelSelectorDump, selectorText } from "./labels.js";
export { printerTable } from "./printer-columns.js";
export { scaleTable } from "./scale-table.js";
export { statusTable } from "./status-table.js";
export {
  ageColumn,
  column,
  nameColumn,
  type TableColumn,
  type TableContext,
  type TableDefinition,
  type TableRowCondition,
  wideColumn,
} from "./table-definition.js";
export { andMore, containerImages, containerNames, firstN, optionalBoolean, scalarText } from "./text-lists.js";
