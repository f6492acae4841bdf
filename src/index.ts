// The public library.
export { EnvoyError, type ErrorType, type Issue } from "../schemas/errors.ts";
