// The face of the form: text in, text or values out. Nothing here touches a file or a clock.
export * from "./description.ts";
export { type Mark } from "./marks.ts";
export { type FormOutcome, type ReadOptions, type RuleBreach } from "./outcome.ts";
export { readForm } from "./read.ts";
export { type FormIdentity, writeForm } from "./write.ts";
export { type MergedForm, type MergeOptions, mergeForm } from "./merge.ts";
