import { join } from 'node:path'

/** The folder of package.json: tests run from `dist`, and their files are beside the sources. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..')

/** A file of this project by its path from package.json. */
export const projectFile = (...path: readonly string[]): string => join(projectFolder, ...path)

/**
 * The command line as it is published: in few files, it starts in half the time. Mutants are planted in the modules, so
 * OTEP_TEST_MODULES asks for those.
 */
export const program =
  process.env.OTEP_TEST_MODULES === undefined
    ? projectFile('dist', 'program', 'otep.js')
    : projectFile('dist', 'adapters', 'cli', 'main.js')
