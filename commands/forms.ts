import type { FormContract } from "../src/form/index.ts";

/** Every form that a gate can show: `npm run schemas` writes its JSON Schema and its example from here. */
export const FORMS: readonly FormContract[] = [];
