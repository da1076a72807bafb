import { testEveryKind } from "./every-kind/every-kind.js";

testEveryKind({
  flags: ["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"],
  allFeatures: true,
});
