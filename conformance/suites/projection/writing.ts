import type { Projection, Target, Timeline } from '../../../engine/index.ts'
import { optionsName, targetsOf } from './documents.ts'
import { randomTimelines } from './random.ts'
import { eachOf, type Faults, looked, parting, type Rule, type Rules, unless } from './rules.ts'
import { longTimeline, plainTarget, wholeTimeline } from './samples.ts'
import { changed, oddProse, oddTexts, refusedTexts, withWholeTexts } from './texts.ts'
import { codesAlone, type Named, strangeTimelines, timelines } from './timelines.ts'

/** Where the text of a document, or its parts together, are not what JSON makes of the document. */
function textFaults(format: Projection, timeline: Timeline, target: Target): Faults {
  const text = JSON.stringify(format.project(timeline, target))
  const written = format.write(timeline, target)
  const parts = [...format.pieces(timeline, target)].join('')
  return [
    ...unless(text === written, `the text and the document part ${parting(text, written)}`),
    ...unless(text === parts, `the parts and the document part ${parting(text, parts)}`),
  ]
}

function writesEach(format: Projection, timelines: readonly Named[]): Promise<Faults> {
  return eachOf(timelines, ({ name, timeline }) =>
    eachOf(targetsOf(format), (target) =>
      looked(`${name} ${optionsName(target)}`, () => textFaults(format, timeline, target)),
    ),
  )
}

const writesSamples: Rule = (format) => {
  const texts = [...oddTexts, ...oddProse, ...refusedTexts].map((text) => ({
    name: JSON.stringify(text.slice(0, 40)),
    timeline: withWholeTexts(text),
  }))
  return writesEach(format, [
    ...timelines,
    ...codesAlone,
    ...strangeTimelines,
    ...texts,
    { name: 'a long timeline', timeline: longTimeline(300) },
  ])
}

const writesAny: Rule = async (format, { formats }) => writesEach(format, await randomTimelines(formats, 40, 11))

/** The paths of all strings in a value. */
function stringPaths(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    stringPaths(member, [...path, Array.isArray(value) ? Number(name) : name]),
  )
}

type Path = readonly (string | number)[]

const isInstant = (path: Path) => /_at$/.test(String(path.at(-1)))

/** Texts that would end their JSON string, or make it invalid, if they were written without escapes. */
const hostileTexts = ['"', '\\', '"},{"', '\u0000\n\u001f', '\ud800', '\udc00x', `${'long '.repeat(30)}"\\`]

/** A hostile text in each string of the timeline, including codes and instants, which the engine would never allow. */
const writesHostile: Rule = (format) =>
  eachOf(hostileTexts, (text) =>
    eachOf(stringPaths(wholeTimeline), (path) => {
      const to = isInstant(path) ? `2026-06-11T11:24:20.${text}Z` : text
      const timeline = changed(wholeTimeline, path, to) as Timeline
      return looked(`${JSON.stringify(text)} at ${path.join('.')}`, () =>
        isInstant(path) && !canProject(format, timeline) ? [] : textFaults(format, timeline, plainTarget),
      )
    }),
  )

/** A format may refuse an instant that is none. */
function canProject(format: Projection, timeline: Timeline): boolean {
  try {
    format.project(timeline, plainTarget)
    return true
  } catch {
    return false
  }
}

/** A hostile text in the address of the server, and in the name of the timeline. */
const writesHostileTargets: Rule = (format) =>
  eachOf(hostileTexts, (text) =>
    eachOf([{ baseUrl: `https://otep.example/${text}` }, { timeline: text }], (over) =>
      looked(JSON.stringify(over), () => textFaults(format, wholeTimeline, { ...plainTarget, ...over })),
    ),
  )

/** The text of a document equals its value. */
export const writingRules: Rules = {
  'given any code and any text, when it is written, then the text and its parts are the JSON of the document':
    writesSamples,
  'given a hostile text in any string, when it is written, then the text is the JSON of the document': writesHostile,
  'given a hostile address or name, when it is written, then the text is the JSON of the document':
    writesHostileTargets,
  'given random timelines, when they are written, then the text and its parts are the JSON of the document': writesAny,
}
