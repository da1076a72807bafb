import { testFullObjects } from "./every-kind/every-kind.js";

testFullObjects({
  flags: ["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"],
  allFeatures: true,
});
