export {
  booleanAt,
  conditionOfType,
  integerAt,
  isSet,
  listAt,
  objectAt,
  scalarAt,
  textAt,
  textsAt,
  valueAt,
} from "@gatehouse/envelopes";
