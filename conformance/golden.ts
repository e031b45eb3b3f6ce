import { projections } from '../projections/index.ts'
import { writeGolden } from './projection/golden.ts'

/** The folder with the formats, relative to the root of the project. */
const folder = 'projections'

for (const format of projections) {
  const count = await writeGolden(format, projections, folder)
  process.stdout.write(`${folder}/${format.name}/golden: ${count} files\n`)
}
