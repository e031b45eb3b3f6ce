import { join } from 'node:path'

/** The folder of the engine's sources: tests run from `dist`, and the files that they read lie beside the sources. */
export const engineFolder = join(import.meta.dirname, '..', '..', '..', 'engine')
