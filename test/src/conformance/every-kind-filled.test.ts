import { testFilledObjects } from "./every-kind/every-kind.js";

testFilledObjects({
  flags: ["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"],
  allFeatures: true,
});
