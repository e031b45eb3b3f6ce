import type { Projection, Timeline } from '../../../engine/index.ts'
import { nameOf, segment } from '../../../projections/shared/subject.ts'
import { eachOf, type Faults, looked, type Rule, type Rules, unless } from './rules.ts'
import { baseUrl, plainTarget, wholeTimeline } from './samples.ts'
import { timelines } from './timelines.ts'

const maxParts = 500

const linksLead: Rule = (format) =>
  eachOf(timelines, ({ name, timeline }) => looked(name, () => partFaults(format, timeline)))

/** Follows every link of a document to its own parts, recursively. */
function partFaults(format: Projection, timeline: Timeline): Faults {
  const root = rootOf(format, timeline)
  const document = format.project(timeline, plainTarget)
  const found = new Set(linksIn(document, root))
  const faults: string[] = []
  for (const link of found) {
    if (faults.length > 5 || found.size > maxParts) break
    const part = format.resource?.(document, pathOf(link, root), plainTarget)
    if (part === undefined) faults.push(`${link} leads nowhere`)
    else for (const next of linksIn(part, root)) found.add(next)
  }
  return faults
}

/** The address of the parts of a document. */
function rootOf({ name }: Projection, { subject }: Timeline): string {
  return `${baseUrl}/api/v1/otep/trackings/${segment(nameOf(subject).value)}/${name}`
}

/** The addresses of its own parts that a document contains. */
export function linksOf(format: Projection, timeline: Timeline): readonly string[] {
  return [...new Set(linksIn(format.project(timeline, plainTarget), rootOf(format, timeline)))]
}

/** The part of the address that the server passes to a format: the rest of the path, decoded. */
function pathOf(link: string, root: string): string {
  return decodeURIComponent(link.slice(root.length + 1).split(/[?#]/, 1)[0] ?? '')
}

/** The texts of a value that are addresses below a root. */
function linksIn(value: unknown, root: string): readonly string[] {
  if (typeof value === 'string') return value.startsWith(`${root}/`) || value === root ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((member) => linksIn(member, root))
}

const strangePaths = [
  '',
  '/',
  '..',
  '__proto__',
  'constructor',
  '%',
  "Things('",
  'v1.1/Observations(',
  '\0',
  'x'.repeat(2_000),
]

const strangeLinks: Rule = (format) => {
  const document = format.project(wholeTimeline, plainTarget)
  return eachOf(strangePaths, (path) =>
    looked(JSON.stringify(path.slice(0, 20)), () => {
      const part = format.resource?.(document, path, plainTarget)
      return unless(part === undefined || typeof part === 'object', `leads to ${typeof part}`)
    }),
  )
}

/** Links of a document to its own parts. */
export const linkRules: Rules = {
  'given a document that links to its own parts, when a link is followed, then the part is there': linksLead,
  'given a link that nobody gave out, when it is followed, then there is nothing or a part': strangeLinks,
}
