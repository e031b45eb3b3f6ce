import fc from 'fast-check'
import { isoOf, type Projection, sourceTypes } from '../../../engine/index.ts'
import { keep } from './kept.ts'
import { wholeMembers, wholeSubject } from './samples.ts'
import { everyCode, type Named } from './timelines.ts'

/** A text as people write it: no control characters, pairs in whole. */
const prose = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('', 'a, b', '"', '<&>', 'é', '%', "it's"))
  .map((text) => text.replace(/\p{Cc}/gu, ''))

/** A word as systems compare it. */
const word = prose.map((text) => (text.trim() === '' ? 'W1' : text))

const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value + 0)
/** A web address. That of fast-check first makes a table of all characters, which takes longer than the timelines. */
const url = fc
  .tuple(fc.webAuthority({ size: 'small' }), fc.array(prose, { maxLength: 3 }), prose)
  .map(([host, path, query]) => `https://${host}/${path.map(encodeURIComponent).join('/')}?${encodeURI(query)}`)
const part = { requiredKeys: [] }

/** An instant of the last hundred years or the next, with any offset and fraction. */
const instant = fc
  .tuple(
    fc.integer({ min: Date.parse('1926-01-01T00:00:00Z'), max: Date.parse('2126-01-01T00:00:00Z') }),
    fc.constantFrom('Z', '+00:00', '-04:00', '+05:30', '+14:00', '-12:00', '-00:00'),
    fc.constantFrom('', '.5', '.120', '.123456', '.123456789'),
  )
  .map(([at, offset, fraction]) => `${isoOf(at).slice(0, 19)}${fraction}${offset}`)

const location = fc.record(
  {
    name: prose,
    unlocode: fc.constantFrom('CAMIS', 'DEHAM', 'JPTYO'),
    gln: fc.constant(wholeMembers.location.gln),
    latitude: degrees(90),
    longitude: degrees(180),
    address: fc.record(
      {
        street: prose,
        locality: prose,
        region: prose,
        postal_code: prose.map((text) => [...text].slice(0, 8).join('')),
        country: fc.constantFrom('CA', 'DE', 'JP'),
      },
      part,
    ),
  },
  part,
)

const eventOf = (codes: readonly string[]) =>
  fc.record(
    {
      event_id: word,
      occurred_at: instant,
      recorded_at: instant,
      status_code: fc.constantFrom(...codes),
      source: fc.record(
        { type: fc.constantFrom(...sourceTypes), provider: fc.constantFrom('acme', 'other', 'Ünïted'), code: word },
        { requiredKeys: ['type', 'provider'] },
      ),
      location,
      incident_reason: word,
      description: prose,
      pod: fc.record(
        {
          recipient: prose,
          signed_at: instant,
          signature_url: url,
          photo_urls: fc.array(url, { maxLength: 3 }),
          note: prose,
        },
        part,
      ),
      estimated_delivery_at: instant,
      withdrawn: fc.record({ declared_at: instant, reason: prose }, { requiredKeys: ['declared_at'] }),
    },
    { requiredKeys: ['event_id', 'occurred_at', 'recorded_at', 'status_code', 'source'] },
  )

const subject = fc
  .record(
    {
      tracking_number: word,
      external_tracking_number: word,
      gs1_sscc: fc.constant(wholeSubject.gs1_sscc),
      piece_id: word,
      package_id: fc.nat(),
      order_id: fc.nat(),
    },
    part,
  )
  .map((some) => (Object.keys(some).length === 0 ? { tracking_number: 'SR1' } : some))

/** A document of events of any profile as a producer may send it, in any order. */
export const anyDocument = fc.oneof(
  ...everyCode.map(({ profile, codes }) =>
    fc.record({
      profile: fc.constant(profile.name),
      subject,
      events: fc.uniqueArray(eventOf(codes), { minLength: 1, maxLength: 8, selector: ({ event_id }) => event_id }),
    }),
  ),
)

/** The given number of timelines, which the engine makes from random documents; equal for equal seeds. */
export async function randomTimelines(
  formats: readonly [Projection, ...Projection[]],
  count: number,
  seed: number,
): Promise<readonly Named[]> {
  const documents = fc.sample(anyDocument, { numRuns: count, seed })
  const named: Named[] = []
  for (const [index, document] of documents.entries()) {
    const { timeline } = await keep(formats, document)
    if (timeline !== undefined) named.push({ name: `random ${seed}/${index}`, timeline })
  }
  return named
}
