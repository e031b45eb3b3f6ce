import { type PublicEntry, type PublicName, publicEntries } from '../../conformance/public-names.ts'
import { code, fenced, page, plain, table } from './markdown.ts'

const formats = 'otep-engine/projections/'

/** THE LIST of public names: one line for each, with its entry and its kind. */
export function publicNames(): string {
  const lines = publicEntries().flatMap(({ entry, names }) => names.map(({ name, kind }) => `${entry} ${kind} ${name}`))
  return `${lines.join('\n')}\n`
}

/** Every public name of the package, with its declaration and its description. */
export function libraryPage(): string {
  const entries = publicEntries()
  // The bare name of the package is the same file as the entry after it.
  const shown = entries.filter(({ entry }) => entry.includes('/') && !entry.startsWith(formats))
  return page(
    'Library',
    ['package.json', ...shown.map(({ file }) => file)],
    [
      `What the package exports, and nothing else: [use the library](../how-to/use-the-library.md) shows how.
${code('otep-engine')} is the same as ${code('otep-engine/timeline')}. [public-names.txt](public-names.txt) lists the names.`,
      ...shown.flatMap(entryPart),
      '## otep-engine/projections/...',
      'One entry for each format. Its members are those of `Projection`.',
      table(
        ['entry', 'name', 'what it is'],
        entries.filter(({ entry }) => entry.startsWith(formats)).flatMap(formatRows),
      ),
    ],
  )
}

function entryPart({ entry, names }: PublicEntry): readonly string[] {
  return [`## ${entry}`, ...names.flatMap(namePart)]
}

function namePart({ name, declarations, description }: PublicName): readonly string[] {
  const text = description === '' ? [] : [plain(description)]
  return [`### ${name}`, ...text, fenced('ts', declarations.join('\n'))]
}

function formatRows({ entry, names }: PublicEntry): readonly (readonly string[])[] {
  return names.map(({ name, description }) => [code(entry), code(name), plain(description)])
}
