import { arrows, cycles } from './architecture/arrows.ts'
import { sharedPlaces, shortSearches, stopwatches } from './architecture/chance.ts'
import { decidedByTables } from './architecture/deciders.ts'
import { erasable, namedExports, noAny, noClasses } from './architecture/form.ts'
import { machinePaths } from './architecture/machine-paths.ts'
import { oneMoney } from './architecture/money.ts'
import { exportNames, fileNames } from './architecture/names.ts'
import { installedProgram } from './architecture/npx.ts'
import { oneDoor } from './architecture/official.ts'
import { oneFolder, packages } from './architecture/packages.ts'
import { ports } from './architecture/ports.ts'
import { purity } from './architecture/purity.ts'
import { fileSize, functionSize } from './architecture/sizes.ts'
import { type FileRule, type Outline, readSource, type TreeRule, type Violation } from './architecture/source.ts'
import { tables, tablesIn } from './architecture/tables.ts'
import { quickTests } from './architecture/tiers.ts'

const fileRules: readonly FileRule[] = [
  ...[arrows, ports, packages, purity, fileSize, functionSize],
  ...[namedExports, noAny, erasable, noClasses, fileNames, exportNames, oneDoor],
  ...[shortSearches, sharedPlaces, stopwatches, decidedByTables, oneMoney],
]

const treeRules: readonly TreeRule[] = [cycles, oneFolder, quickTests, tables]

/**
 * Everything that breaks a rule of the house. `files` maps a path from the root of the project to its text; the rules
 * of code look at TypeScript, those on paths of machines and on calls by npx at everything.
 */
export function violationsOf(files: ReadonlyMap<string, string>): readonly Violation[] {
  const entries = [...files]
  const read = entries.filter(([path]) => path.endsWith('.ts')).map(([path, text]) => readFile(path, text))
  return [
    ...read.flatMap(({ found }) => found),
    ...treeRules.flatMap((rule) => rule(read.map(({ outline }) => outline))),
    ...entries.flatMap(([path, text]) => [...machinePaths(path, text), ...installedProgram(path, text)]),
  ]
}

/** What the rules of a file find in it, and what those of the tree have to know of it. */
function readFile(path: string, text: string): { readonly found: readonly Violation[]; readonly outline: Outline } {
  const source = readSource(path, text)
  const { isTest, imports } = source
  return {
    found: fileRules.flatMap((rule) => rule(source)),
    outline: { path, isTest, imports, tables: tablesIn(source) },
  }
}
