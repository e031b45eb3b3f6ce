import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Projection, representationsOf } from '../../../engine/index.ts'
import { projections } from '../../../projections/index.ts'
import { optionsName, targetsOf, written } from './documents.ts'
import { journey } from './kept.ts'
import { type Faults, parting, type Rule, type Rules, type Setting } from './rules.ts'

/** The journeys with golden files: as planned, turned round, across borders, and one of each other profile. */
const goldenJourneys = ['happy-path', 'returned', 'cross-border', 'locker-stay', 'house-move', 'meal']

/** The golden files of a format as they should be: their names, and what is in them. */
async function goldenFiles(format: Projection, formats: Setting['formats']): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const name of goldenJourneys) {
    const timeline = await journey(formats, name)
    const seen = new Set<string>()
    for (const target of targetsOf(format)) {
      for (const form of representationsOf(format)) {
        const { text } = await written(format, form, timeline, target)
        if (seen.has(text)) continue
        seen.add(text)
        files.set(fileName(name, optionsName(target), form), readable(text))
      }
    }
  }
  return files
}

/** `happy-path.json`, `happy-path.as-capture.xml`, `happy-path.compacted.jsonld`. */
function fileName(
  journey: string,
  options: string,
  form: { readonly mediaType: string; readonly form?: string },
): string {
  const kind = form.form?.split(/[#/]/).at(-1)
  const extension = form.mediaType.replace(/^.*\//, '').replace('ld+json', 'jsonld').replace(/^.*\+/, '')
  const parts = [journey, options.replaceAll('=', '-').replaceAll('&', '.'), kind, extension]
  return parts.filter((part) => part !== undefined && part !== '').join('.')
}

/** JSON with line breaks; other documents as they are sent. */
function readable(text: string): string {
  return /^[[{]/.test(text) ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : `${text.trimEnd()}\n`
}

/** Writes the golden files of a format to `NAME/golden` in a folder, and removes old ones. Returns how many there are. */
export async function writeGolden(
  format: Projection,
  folder: string,
  formats: Setting['formats'] = [...projections, format],
): Promise<number> {
  const files = await goldenFiles(format, formats)
  const place = join(folder, format.name, 'golden')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  for (const [name, text] of files) writeFileSync(join(place, name), text)
  return files.size
}

const asBefore: Rule = async (format, { formats, golden }) => {
  if (golden === undefined) return []
  const place = join(golden, format.name, 'golden')
  const files = await goldenFiles(format, formats)
  const kept = existsSync(place) ? readdirSync(place) : []
  const faults: Faults = [
    ...kept.filter((name) => !files.has(name)).map((name) => `${name} is a golden file of nothing`),
    ...[...files].flatMap(([name, text]) => fileFaults(join(place, name), name, text)),
  ]
  return faults.length === 0
    ? []
    : [...faults.slice(0, 8), `if this is meant, run writeGolden (here: npm run golden) and read the difference`]
}

function fileFaults(path: string, name: string, text: string): Faults {
  if (!existsSync(path)) return [`${name} is missing`]
  const before = readFileSync(path, 'utf8')
  return before === text ? [] : [`${name} differs ${parting(before, text)}`]
}

/** Documents as they were when somebody last reviewed them. */
export const goldenRules: Rules = {
  'given the sample journeys, when they are projected, then the documents are the golden ones': asBefore,
}
