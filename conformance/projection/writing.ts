import type { Projection, Target, Timeline } from '../../engine/index.ts'
import { optionsName, targetsOf } from './documents.ts'
import { randomTimelines } from './random.ts'
import { eachOf, type Faults, looked, parting, type Rule, type Rules, unless } from './rules.ts'
import { longTimeline } from './samples.ts'
import { oddProse, oddTexts, refusedTexts, withWholeTexts } from './texts.ts'
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

function writesEach(format: Projection, given: readonly Named[]): Promise<Faults> {
  return eachOf(given, ({ name, timeline }) =>
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

/** The text of a document is that of the document. */
export const writingRules: Rules = {
  'given any code and any text, when it is written, then the text and its parts are the JSON of the document':
    writesSamples,
  'given random timelines, when they are written, then the text and its parts are the JSON of the document': writesAny,
}
