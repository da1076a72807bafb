export { ownList, ownObject } from "@gatehouse/envelopes";
