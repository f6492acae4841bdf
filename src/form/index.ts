// The face of the form: text in, text or values out. Nothing here touches a file or a clock.
export { type FormContract } from "./contract.ts";
export * from "./description.ts";
export { type EditorHelp, type JsonSchema, editorSchema } from "./editor-schema.ts";
export { type FieldPath, fieldPaths } from "./field-paths.ts";
export { type LogsIdentity, logsTemplate, logsWithoutPlaceholder } from "./logs-placeholder.ts";
export { type Marking, markAt } from "./mark-at.ts";
export { type Mark } from "./marks.ts";
export { type MergedForm, type Merging, mergeForm } from "./merge.ts";
export { type FormOutcome, type ReadOptions, type RuleBreach } from "./outcome.ts";
export { readForm } from "./read.ts";
export { type SetProblem } from "./resolve-path.ts";
export { type HandedBack } from "./settle.ts";
export { type FieldSets, type SetOutcome, setFields } from "./set-fields.ts";
export { DONE_HELP, type FormIdentity, gatesNamedIn, writeForm } from "./write.ts";
