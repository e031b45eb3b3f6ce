import fc from 'fast-check'
import { isEngineError, isObject, type Projection, type Reading, textOf } from '../../../engine/index.ts'
import { anyCharacter } from './any-character.ts'
import { type Faults, type Rule, type Rules, unless } from './rules.ts'
import { plainTarget, wholeTimeline } from './samples.ts'

const survivesAnything: Rule = async (format) => {
  if (format.parse === undefined) return []
  const xml = await ownXml(format)
  const own = JSON.stringify(format.project(wholeTimeline, plainTarget))
  const json = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
    {
      weight: 4,
      arbitrary: fc.tuple(fc.nat(), fc.nat(), fc.jsonValue()).map(([at, how, value]) => mutated(own, at, how, value)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat(), fc.nat(60), fc.constantFrom(...pieces))
        .map(([at, cut, piece]) => spliced(xml, at, cut, piece)),
    },
  )
  return [
    ...deep.flatMap((value) => readingFaults(format, value)),
    ...failing(
      fc.property(json, (value) => readingFaults(format, value).length === 0),
      format,
    ),
  ]
}

function failing(property: fc.IProperty<[unknown]>, format: Projection): Faults {
  const { failed, counterexample, seed } = fc.check(property, { numRuns: 400 })
  if (!failed) return []
  const [value] = counterexample ?? []
  return [`seed ${seed}: ${readingFaults(format, value).join('; ')} for ${JSON.stringify(value)?.slice(0, 300)}`]
}

/** Documents as deep as a body of a mebibyte can be, and texts that no reader likes. */
const deep: readonly unknown[] = [
  JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)),
  JSON.parse(`${'{"data":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  '<a>'.repeat(20_000),
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  undefined,
]

/** What may come between the parts of an XML document. */
const pieces = [
  '',
  '<a>',
  '</a>',
  '<a/>',
  '<![CDATA[x]]>',
  '<!--x-->',
  '<?x y?>',
  '&amp;',
  '&x;',
  '&#0;',
  ' a="1"',
  '"',
  '\0',
  '\ud800',
]

/** A document of the format as XML; a placeholder element if it has no XML. */
async function ownXml(format: Projection): Promise<string> {
  const form = format.representations.find(({ mediaType }) => mediaType === 'application/xml')
  return form === undefined ? '<a>b</a>' : textOf(format, form, wholeTimeline, plainTarget)
}

/** A text with a piece in the place of some of its characters. */
function spliced(text: string, at: number, cut: number, piece: string): string {
  const from = at % text.length
  return text.slice(0, from) + piece + text.slice(from + cut)
}

/** The errors of a reading. */
function readingFaults(format: Projection, value: unknown): Faults {
  try {
    const readings: unknown = format.parse?.(value, plainTarget)
    return Array.isArray(readings) ? readings.flatMap(oddReading) : ['reads no list']
  } catch (error) {
    return isEngineError(error) ? [] : [`throws ${error instanceof Error ? error.stack?.slice(0, 300) : String(error)}`]
  }
}

function oddReading({ path, subject, event: read, findings }: Reading): Faults {
  return [
    ...unless(typeof path === 'string', 'a reading has no path'),
    ...unless(subject === undefined || isObject(subject), 'a subject is no object'),
    ...unless(read === undefined || isObject(read), 'an event is no object'),
    ...unless(findings === undefined || findings.length > 0, 'a refusal has no finding'),
    ...unless(
      subject === undefined || findings !== undefined || read !== undefined,
      'a subject stands without an event',
    ),
  ]
}

/** A document with one of its values replaced, left out or put into a list. */
function mutated(text: string, at: number, how: number, value: unknown): unknown {
  let count = 0
  const total = text.split(/[:,[]/).length
  const change = (before: unknown) => [value, undefined, [before], { before }][how % 4]
  const changed: unknown = JSON.parse(text, (_, before: unknown) => (count++ === at % total ? change(before) : before))
  return JSON.parse(JSON.stringify(changed) ?? 'null')
}

/** Reading what others write. */
export const readingRules: Rules = {
  'given anything at all, when it is read, then there are readings or a refusal': survivesAnything,
}
