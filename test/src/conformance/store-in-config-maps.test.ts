import { startControlPlane } from "@gatehouse/testing";
import { describeStoreInFront } from "./describe-store-in-front.js";

describeStoreInFront("configmaps", () => startControlPlane());
