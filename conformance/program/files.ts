import { join } from 'node:path'

/** The folder of package.json: tests run from `dist`, and their files are beside the sources. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..')

/** A file of this project by its path from package.json. */
export const projectFile = (...path: readonly string[]): string => join(projectFolder, ...path)

/** The command line as it was built. */
export const program = projectFile('dist', 'adapters', 'cli', 'main.js')
