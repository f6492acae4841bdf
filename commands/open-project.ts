import { type Project, findProject } from "../src/stores/project.ts";
import type { Context } from "./command.ts";

export const openProject = ({ cwd, environment }: Context): Promise<Project> => findProject({ cwd, envoyDir: environment.ENVOY_DIR });
