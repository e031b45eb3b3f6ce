import { safeParse } from 'valibot'
import type { Projection } from '../../../engine/index.ts'
import { representationsOf, type Target, type Timeline, textOf } from '../../../engine/index.ts'
import { formName, optionsName, targetsOf } from './documents.ts'
import { eachOf, type Faults, looked, type Rule, type Rules, unless } from './rules.ts'
import { longTimeline, plainTarget, wholeTimeline } from './samples.ts'
import { oddProse, oddTexts, refusedTexts, textPlaces, withText } from './texts.ts'
import { codesAlone, strangeTimelines, timelines } from './timelines.ts'
import { wellFormedness } from './xml.ts'

/** The errors of a document as a value, whatever its input. */
function plainFaults(format: Projection, timeline: Timeline, target: Target): Faults {
  const document = format.project(timeline, target)
  const text = JSON.stringify(document)
  if (text === undefined) return ['the document is no JSON']
  return oddValue(document, '')
}

/** The values that JSON cannot represent, and would change or drop. */
function oddValue(value: unknown, path: string): Faults {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return []
  if (typeof value === 'number') return unless(Number.isFinite(value), `${path} is ${value}`)
  if (Array.isArray(value)) return value.flatMap((item, index) => oddValue(item, `${path}[${index}]`))
  if (typeof value !== 'object') return [`${path} is ${typeof value}`]
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return [`${path} is no plain object`]
  return Object.entries(value).flatMap(([name, member]) => oddValue(member, `${path}.${name}`))
}

const isTotal: Rule = (format) =>
  eachOf([...timelines, ...codesAlone, ...strangeTimelines], ({ name, timeline }) =>
    looked(name, () => eachOf(targetsOf(format), (target) => plainFaults(format, timeline, target))),
  )

const takesTexts: Rule = (format) =>
  eachOf([...oddTexts, ...oddProse, ...refusedTexts], (text) =>
    eachOf(textPlaces, (place) =>
      looked(`${JSON.stringify(text.slice(0, 40))} at ${place.path.join('.')}`, () =>
        plainFaults(format, withText(text, place), plainTarget),
      ),
    ),
  )

const fitsSchema: Rule = (format) =>
  eachOf([...timelines, ...codesAlone], ({ name, timeline }) =>
    looked(name, () =>
      eachOf(targetsOf(format), (target) => {
        const { issues = [] } = safeParse(format.schema, format.project(timeline, target))
        return issues
          .slice(0, 3)
          .map(({ message, path = [] }) => `${optionsName(target)} ${path.map(({ key }) => key).join('.')}: ${message}`)
      }),
    ),
  )

const strictSchema: Rule = (format) => {
  const hasLists = targetsOf(format).some((target) => Array.isArray(format.project(wholeTimeline, target)))
  return eachOf(targetsOf(format), (target) => {
    const document = format.project(wholeTimeline, target)
    const isList = Array.isArray(document)
    // With an option, some formats are a list of requests.
    const other = hasLists ? [] : [isList ? {} : []]
    const refused = [null, 'text', 1, ...other, ...(isList ? [] : [{ ...(document as object), 'no such member': 1 }])]
    return refused.flatMap((value) =>
      unless(!safeParse(format.schema, value).success, `${JSON.stringify(value).slice(0, 60)} fits its schema`),
    )
  })
}

const writesAll: Rule = (format) =>
  eachOf([...timelines, ...strangeTimelines], ({ name, timeline }) =>
    eachOf(targetsOf(format), (target) =>
      eachOf(representationsOf(format), (form) =>
        looked(`${name} ${optionsName(target)} as ${formName(form)}`, async () =>
          textFaults(form.mediaType, await textOf(format, form, timeline, target)),
        ),
      ),
    ),
  )

function textFaults(mediaType: string, text: string): Faults | Promise<Faults> {
  if (/[/+]xml$/.test(mediaType)) return wellFormedness(text)
  if (/[/+]json$/.test(mediaType)) JSON.parse(text)
  else if (!mediaType.startsWith('text/')) return [`${mediaType} is neither JSON, XML nor text`]
  return unless(text.isWellFormed(), 'half of a surrogate pair has no bytes in UTF-8')
}

const growsEvenly: Rule = (format) =>
  looked('10,000 events', () => {
    const [few, many] = [200, 2_000].map((count) => readsOf(format, count)) as [number, number]
    const [small, large] = [1_000, 10_000].map((count) => sizeOf(format, count)) as [number, number]
    return [
      ...unless(many <= 11 * few, `reads ${many} members of 2,000 events, and ${few} of 200`),
      ...unless(large <= 12 * small, `${large} characters for 10,000 events, and ${small} for 1,000`),
    ]
  })

function sizeOf(format: Projection, count: number): number {
  return JSON.stringify(format.project(longTimeline(count), plainTarget)).length
}

/** How many times a projection reads a member of the events of a timeline, or of their list. */
function readsOf(format: Projection, count: number): number {
  let reads = 0
  const watched = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get: (target, name) => {
        reads++
        return Reflect.get(target, name) as unknown
      },
    })
  const timeline = longTimeline(count)
  format.project({ ...timeline, events: watched(timeline.events.map((event) => watched(event))) }, plainTarget)
  return reads
}

/** A document for every timeline, and in every form. */
export const totalityRules: Rules = {
  'given any code, member, instant or count of events, when it is projected, then there is a document of plain JSON':
    isTotal,
  'given hostile texts, when they stand where producers write, then there is a document': takesTexts,
  'given what the engine gives, when it is projected, then the document fits the schema': fitsSchema,
  'given something else than a document, when it is held against the schema, then it does not fit': strictSchema,
  'given any document, when it is written in any form, then it is JSON or XML that can be read': writesAll,
  'given ten times the events, when they are projected, then ten times the work is done': growsEvenly,
}
