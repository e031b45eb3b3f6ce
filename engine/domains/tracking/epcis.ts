import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { type BodyPart, isPartedBody, operation, type PartedBody } from '../../kernel/operation.ts'
import type { Projection, Target } from '../../kernel/projection.ts'
import { inSteps } from '../../kernel/steps.ts'
import { ingestAnswerSchema } from './answers.ts'
import { requestedFormat } from './formats.ts'
import { ingestReadings, type ReadingResult, readerOf } from './readings.ts'
import { createTally, ingestAnswer, tallyAnswer } from './results.ts'

const mebibyte = 1024 * 1024

/** The accepted values of a header, and how a refusal names them. */
interface Accepted {
  readonly form: RegExp
  readonly expected: string
}

/** EPCIS 1.2 has no JSON. */
const versions = {
  json: { form: /^2\.0(?:\.\d{1,3})?$/, expected: '2.0, 2.0.x' },
  xml: { form: /^(?:2\.0(?:\.\d{1,3})?|1\.2)$/, expected: '2.0, 2.0.x, 1.2' },
} as const satisfies Readonly<Record<string, Accepted>>

const behaviours: Accepted = { form: /^(?:rollback|proceed)$/, expected: 'rollback, proceed' }

/** A stream with more refused events is not read any further. */
const maxRefused = 10_000

const text = (description: string) => v.exactOptional(v.pipe(v.string(), v.maxLength(200), v.description(description)))

const input = v.strictObject({
  document: v.pipe(
    v.unknown(),
    v.metadata({ type: 'object' }),
    v.description('An EPCISDocument, an EPCISQueryDocument, or an event with its @context; JSON-LD or XML.'),
  ),
  epcis_version: text('Version of EPCIS: 2.0, 2.0.x, or 1.2 (XML).'),
  cbv_version: text('Version of CBV: 2.0, 2.0.x, or 1.2.'),
  error_behaviour: text('rollback (all or nothing, the default), or proceed.'),
  strict: v.exactOptional(
    v.pipe(v.boolean(), v.description("Refuse also what GS1's schemas accept: see EPCIS ingest, what is refused.")),
  ),
})

/** Ingests EPCIS events (EPCIS 2.0, capture interface). The answer comes at once, with the outcome of each event. */
export const otepIngestEpcis = operation({
  name: 'otep_ingest_epcis',
  summary:
    'Record the events of an EPCIS document in JSON-LD or XML. With proceed, a JSON document may have any number of events and is processed as it arrives.',
  scopes: ['otep:ingest'],
  risk: 'medium',
  tag: 'OTEP',
  input,
  output: ingestAnswerSchema,
  errors: [
    ...([
      'malformed_xml',
      'header_not_accepted',
      'member_too_late',
      'too_many_events',
      'too_many_things',
      'event_too_large',
      'too_many_readings',
      'too_many_series',
    ] as const),
    ...([
      'nothing_accepted',
      'too_many_refused',
      'nothing_stored',
      'contention',
      'unknown_format',
      'format_not_read',
    ] as const),
  ],
  rest: {
    method: 'POST',
    path: '/api/v1/otep/ingest/epcis',
    document: 'document',
    bodyLimit: 16 * mebibyte,
    types: ['application/json', 'application/ld+json', 'application/xml', 'text/xml'],
    headers: {
      epcis_version: 'GS1-EPCIS-Version',
      cbv_version: 'GS1-CBV-Version',
      error_behaviour: 'GS1-Capture-Error-Behaviour',
    },
    echoed: { 'GS1-EPCIS-Version': '2.0.0', 'GS1-CBV-Version': '2.0.0', 'GS1-Extensions': '' },
    parts: {
      lists: ['epcisBody.eventList', 'epcisBody.queryResults.resultsBody.eventList'],
      where: ['error_behaviour', 'proceed'],
      bodyLimit: 256 * mebibyte,
    },
  },
  handle: async (context, { document, epcis_version, cbv_version, error_behaviour = 'rollback', strict }) => {
    const isXml = typeof document === 'string'
    requireCaptureHeader('GS1-EPCIS-Version', epcis_version, isXml)
    requireCaptureHeader('GS1-CBV-Version', cbv_version, isXml)
    requireCaptureHeader('GS1-Capture-Error-Behaviour', error_behaviour, isXml)
    const { projection, target: requested } = requestedFormat(context, 'epcis')
    const target = strict === undefined ? requested : { ...requested, strict }
    const { parse } = projection
    if (parse === undefined) throw new EngineError('format_not_read', { received: 'epcis', expected: '' })
    if (isPartedBody(document)) return ingestParts(context, document, { parse, target })
    const readings = await inSteps(readerOf(projection, target)(document), context.pause)
    const atomic = error_behaviour === 'rollback'
    return ingestAnswer(context, await ingestReadings(context, readings, atomic), atomic)
  },
})

/** The headers of the capture interface whose values are checked. */
type CaptureHeader = 'GS1-EPCIS-Version' | 'GS1-CBV-Version' | 'GS1-Capture-Error-Behaviour'

/** Refuses a value of a header of the capture interface that is not served, with `header_not_accepted`. */
export function requireCaptureHeader(field: CaptureHeader, received: string | undefined, isXml: boolean): void {
  const { form, expected } = acceptedIn(field, isXml)
  if (received === undefined || form.test(received)) return
  throw new EngineError('header_not_accepted', { field, received: received.slice(0, 40), expected })
}

function acceptedIn(field: CaptureHeader, isXml: boolean): Accepted {
  if (field === 'GS1-Capture-Error-Behaviour') return behaviours
  return field === 'GS1-CBV-Version' || isXml ? versions.xml : versions.json
}

/** How the parts of a document are parsed. */
interface Reader {
  readonly parse: NonNullable<Projection['parse']>
  readonly target: Target
}

/** Members that must come before the events. */
const leadingMembers = ['@context', 'type', 'schemaVersion', 'creationDate'] as const

/**
 * Records a document part by part, one transaction each. If the document breaks off, the answer covers the parts
 * before.
 */
async function ingestParts(context: Context, { parts }: PartedBody, reader: Reader) {
  const tally = createTally(context)
  let hasRecorded = false
  try {
    for await (const part of parts) {
      if (!hasRecorded) requireLeadingMembers(part)
      const results = await ingestPart(context, part, reader)
      tally.add(results)
      hasRecorded = true
      // A problem outside the events also affects all events that follow.
      if (results.some(({ path, outcome }) => path === '' && outcome === 'rejected')) break
      if (tally.counts.rejected > maxRefused) throw new EngineError('too_many_refused', { limit: maxRefused })
    }
  } catch (error) {
    if (!hasRecorded || !isEngineError(error)) throw error
    return tallyAnswer(context, tally, false, error)
  }
  return tallyAnswer(context, tally, false)
}

/** A query document needs fewer members. */
function requireLeadingMembers({ document, items }: BodyPart): void {
  if (items.length === 0) return
  const needed = document.type === 'EPCISQueryDocument' ? leadingMembers.slice(0, 2) : leadingMembers
  const field = needed.find((member) => !Object.hasOwn(document, member))
  if (field !== undefined) throw new EngineError('member_too_late', { field, before: 'epcisBody' })
}

/** Splits a part in halves if its events have too many subjects for one call. */
async function ingestPart(context: Context, part: BodyPart, reader: Reader): Promise<readonly ReadingResult[]> {
  const { items, list, offset } = part
  try {
    const readings = reader.parse(part.with(items), reader.target)
    // Findings outside the events are reported once, with the last part.
    const relevant =
      items.length === 0 ? readings : readings.filter(({ path, findings }) => path !== '' || findings !== undefined)
    const results = await ingestReadings(context, relevant, false)
    return offset === 0 ? results : results.map((result) => atWholePath(result, list, offset))
  } catch (error) {
    if (!isEngineError(error, 'too_many_things')) throw error
    const half = Math.ceil(items.length / 2)
    if (half === items.length) {
      const { code, params } = error
      const path = `${list}[${offset}]`
      return [{ path, outcome: 'rejected', errors: [{ path, code, params }], warnings: [] }]
    }
    const first = await ingestPart(context, { ...part, items: items.slice(0, half) }, reader)
    return [
      ...first,
      ...(await ingestPart(context, { ...part, items: items.slice(half), offset: offset + half }, reader)),
    ]
  }
}

/** A result of a part, with paths in the whole document. */
function atWholePath(result: ReadingResult, list: string, offset: number): ReadingResult {
  const place = (path: string) => {
    if (!path.startsWith(`${list}[`)) return path
    const end = path.indexOf(']', list.length)
    return `${list}[${Number(path.slice(list.length + 1, end)) + offset}${path.slice(end)}`
  }
  const { path, errors, warnings } = result
  return {
    ...result,
    path: place(path),
    errors: errors.map((finding) => ({ ...finding, path: place(finding.path) })),
    warnings: warnings.map((finding) => ({ ...finding, path: place(finding.path) })),
  }
}
