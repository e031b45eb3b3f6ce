import { arrows, cycles } from './architecture/arrows.ts'
import { erasable, namedExports, noAny, noClasses } from './architecture/form.ts'
import { machinePaths } from './architecture/machine-paths.ts'
import { exportNames, fileNames } from './architecture/names.ts'
import { installedProgram } from './architecture/npx.ts'
import { oneDoor } from './architecture/official.ts'
import { oneFolder, packages } from './architecture/packages.ts'
import { ports } from './architecture/ports.ts'
import { purity } from './architecture/purity.ts'
import { fileSize, functionSize } from './architecture/sizes.ts'
import { type FileRule, readSource, type TreeRule, type Violation } from './architecture/source.ts'
import { tables } from './architecture/tables.ts'
import { quickTests } from './architecture/tiers.ts'

const fileRules: readonly FileRule[] = [
  ...[arrows, ports, packages, purity, fileSize, functionSize],
  ...[namedExports, noAny, erasable, noClasses, fileNames, exportNames, oneDoor],
]

const treeRules: readonly TreeRule[] = [cycles, oneFolder, quickTests, tables]

/**
 * Everything that breaks a rule of the house. `files` maps a path from the root of the project to its text; the rules
 * of code look at TypeScript, those on paths of machines and on calls by npx at everything.
 */
export function violationsOf(files: ReadonlyMap<string, string>): readonly Violation[] {
  const entries = [...files]
  const sources = entries.filter(([path]) => path.endsWith('.ts')).map(([path, text]) => readSource(path, text))
  return [
    ...sources.flatMap((source) => fileRules.flatMap((rule) => rule(source))),
    ...treeRules.flatMap((rule) => rule(sources)),
    ...entries.flatMap(([path, text]) => [...machinePaths(path, text), ...installedProgram(path, text)]),
  ]
}
