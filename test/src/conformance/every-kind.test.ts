import { testEveryKind } from "./every-kind/every-kind.js";

testEveryKind({ flags: [], allFeatures: false });
