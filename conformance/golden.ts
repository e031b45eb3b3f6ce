import { projections } from '../projections/index.ts'
import { writeGolden } from './suites/index.ts'

/** The folder with the formats, relative to the root of the project. */
const folder = 'projections'

for (const format of projections) {
  const count = await writeGolden(format, folder, projections)
  process.stdout.write(`${folder}/${format.name}/golden: ${count} files\n`)
}
