export { type RuleVolume, type Volume, VolumeForecast, type VolumeReport } from "./volume-forecast.js";
