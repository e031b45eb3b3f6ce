import { readFileSync } from 'node:fs'
import { packageFile } from '../../node/package-files.ts'
import type { Recipe } from '../../node/webhook-catalogue.ts'

/** A language of the sample receivers, and what verifies each kind of signature in it. */
interface CodeLanguage {
  readonly name: string
  readonly file: string
  /** What is between two functions. */
  readonly apart: string
  readonly verifiers: Readonly<Record<Recipe | 'standard', string>>
}

/** The languages of the receivers in docs/examples. */
export const codeLanguages: readonly CodeLanguage[] = [
  {
    name: 'JavaScript (Node)',
    file: 'receiver.mjs',
    apart: '\n\n',
    verifiers: {
      ...{ tenant: 'isTenant', lifecycle: 'isSecondVersion', callback: 'isSecondVersion' },
      ...{ provider: 'isProvider', handoff: 'isHandoff', standard: 'isStandard' },
    },
  },
  {
    name: 'Python',
    file: 'receiver.py',
    apart: '\n\n\n',
    verifiers: {
      ...{ tenant: 'is_tenant', lifecycle: 'is_second_version', callback: 'is_second_version' },
      ...{ provider: 'is_provider', handoff: 'is_handoff', standard: 'is_standard' },
    },
  },
]

/** What has a line of a source to itself. */
const lineForms = [/^import (\w+)$/, /^const (\w+) = /, /^([A-Z_]+) = /, /^\/\*\* @typedef \{.*\} (\w+)/] as const

const functionForm = /^(?:\/\*\*[\s\S]*?\*\/\n)?(?:export )?(?:function|def) (\w+)/

const namedImports = /^import \{(.+)\} from (.+)$/

/** The code of one verifier of a sample receiver: the function and all that it needs, as they stand in the file. */
export function verifierCode({ file, verifiers, apart }: CodeLanguage, recipe: Recipe | 'standard'): string {
  const units = unitsOf(readFileSync(packageFile(`docs/examples/receivers/${file}`), 'utf8'))
  const needed = new Set<string>()
  const pending: string[] = [verifiers[recipe]]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const unit = units.find((one) => definedIn(one).includes(name as string))
    if (unit === undefined || needed.has(unit)) continue
    needed.add(unit)
    if (!namedImports.test(unit)) pending.push(...wordsIn(unit))
  }
  const chosen = units.filter((unit) => needed.has(unit))
  const used = new Set(chosen.filter((unit) => !namedImports.test(unit)).flatMap(wordsIn))
  return joined(
    chosen.map((unit) => importOnly(unit, used)),
    apart,
  )
}

/** The parts of a source: the lines of a block without indentation, or else the whole block. */
function unitsOf(source: string): readonly string[] {
  return source.split(/\n{2,}(?=\S)/).flatMap((block) => {
    const lines = block.trimEnd().split('\n')
    const isOfLines = lines.every((line) => /^(?:import |from |\/\/)/.test(line) || definedIn(line).length > 0)
    return isOfLines ? lines : [block.trimEnd()]
  })
}

function definedIn(unit: string): readonly string[] {
  const imported = namedImports.exec(unit)?.[1]
  if (imported !== undefined) return wordsIn(imported)
  const forms = unit.includes('\n') ? [functionForm] : lineForms
  return forms.flatMap((form) => form.exec(unit)?.[1] ?? [])
}

/** The words of a code; of a comment, the types in its braces. */
function wordsIn(code: string): readonly string[] {
  const bare = code
    .replace(/\/\*\*[\s\S]*?\*\//g, (comment) => (comment.match(/\{.*\}/g) ?? []).join(' '))
    .replace(/"""[\s\S]*?"""/g, '')
  return bare.match(/\w+/g) ?? []
}

function importOnly(unit: string, used: ReadonlySet<string>): string {
  const [, names = '', from = ''] = namedImports.exec(unit) ?? []
  if (from === '') return unit
  const kept = wordsIn(names).filter((name) => used.has(name))
  return `import { ${kept.join(', ')} } from ${from}`
}

/** Lines of one kind stand together, all else apart. */
function joined(units: readonly string[], apart: string): string {
  const kindOf = (unit: string) => (unit.includes('\n') ? unit : unit.slice(0, unit.indexOf(' ')))
  return units.reduce((text, unit, index) => {
    const isOfKind = kindOf(units[index - 1] ?? '') === kindOf(unit)
    return `${text}${isOfKind ? '\n' : apart}${unit}`
  })
}
