import {
  isExperimental,
  isObject,
  type Projection,
  type Reading,
  representationsOf,
  type Timeline,
  type TimelineEvent,
} from '../../../engine/index.ts'
import { profiles } from '../../../profiles/index.ts'
import { formName, optionsName, targetsOf, written } from './documents.ts'
import { journeys, keep, keptTimelines } from './kept.ts'
import { randomTimelines } from './random.ts'
import { eachOf, type Faults, looked, parting, type Rule, type Rules, type Setting, unless } from './rules.ts'
import { event, plainTarget, timeline } from './samples.ts'
import { codesAlone, everyCode, type Named, timelines } from './timelines.ts'

/** Formats that can be read back completely, member for member. */
const lossless: readonly string[] = ['otep', 'epcis']

/** Whether documents of a format can be ingested. */
function isRead(format: Projection, { formats }: Setting): boolean {
  return format.parse !== undefined || format === formats[0]
}

/** Timelines that the engine has stored; all formats share them. */
const keptOnce = new WeakMap<Setting['formats'], Promise<readonly Named[]>>()

function kept(formats: Setting['formats']): Promise<readonly Named[]> {
  const known = keptOnce.get(formats)
  const all = known ?? gather(formats)
  keptOnce.set(formats, all)
  return all
}

async function gather(formats: Setting['formats']): Promise<readonly Named[]> {
  return [
    ...(await journeys(formats)),
    ...(await keptTimelines(formats, [...timelines, ...codesAlone])),
    ...(await randomTimelines(formats, 20, 7)),
  ]
}

const comesBack: Rule = async (format, setting) => {
  if (!isRead(format, setting)) return []
  const own = (await kept(setting.formats)).filter(({ timeline }) => !format.external || namesProviders(timeline))
  return eachOf(own, ({ name, timeline }) =>
    eachOf(targetsOf(format), (target) =>
      looked(`${name} ${optionsName(target)}`, async () => {
        // What a shop is sent is not read.
        if (target.options.as === 'input') return []
        const text = JSON.stringify(format.project(timeline, target))
        const { answer, timeline: back } = await keep(setting.formats, JSON.parse(text), format.name)
        // Events that the format cannot distinguish become one when they are read back, or contradict each other.
        if (!lossless.includes(format.name) && count(answer, 'duplicate') > 0) return []
        const refused = refusals(answer)
        if (back === undefined || refused.length > 0) return refused
        const again = JSON.stringify(format.project(recordedAs(timeline, back), target))
        // The native document is the timeline itself, whose members are in the order in which they were reported.
        if (!format.external) return sameMembers(timeline, back)
        return unless(again === text, `its own document comes back otherwise ${parting(text, again)}`)
      }),
    ),
  )
}

/** A timeline with what another store has noted of its events: who reported them, and when. Each store notes its own. */
function recordedAs({ events }: Timeline, back: Timeline): Timeline {
  const noted = ({ recorded_at, source }: TimelineEvent) => ({ recorded_at, ...(source !== undefined && { source }) })
  return {
    ...back,
    events: back.events.map((event, index) => ({ ...event, ...(events[index] && noted(events[index])) })),
  }
}

/** Whether every provider has a name that any format has room for: an event without one gets that of the sender. */
function namesProviders({ events, withdrawn_events = [] }: Timeline): boolean {
  return [...events, ...withdrawn_events].every(({ source }) => /^[a-z]+$/.test(source?.provider ?? ''))
}

/** The refused parts of a document of the format itself. */
function refusals(answer: object): Faults {
  const told = JSON.stringify(answer).slice(0, 500)
  return unless(count(answer, 'rejected') === 0, `its own document is refused: ${told}`)
}

/** How many events of an ingest came to this end. */
function count(answer: object, outcome: 'rejected' | 'duplicate'): number {
  const { data } = answer as { readonly data?: Readonly<Record<typeof outcome, number>> }
  return data?.[outcome] ?? 0
}

const keepsCodes: Rule = async (format) => {
  if (format.parse === undefined) return []
  return eachOf(everyCode, ({ profile, codes }) =>
    eachOf(
      codes.filter((code) => format.codes(profile)[code]?.fidelity === '='),
      (code) =>
        looked(code, () => {
          const given = timeline(
            [event(0, { status_code: code, source: { type: 'carrier_tracking', provider: 'acme' } }, profile)],
            { profile: profile.name },
          )
          const document: unknown = JSON.parse(JSON.stringify(format.project(given, plainTarget)))
          const found = format.parse?.(document, plainTarget).map(addressOf).join(', ')
          return unless(found === addressOf({ profile: profile.name, event: { status_code: code } }), `is now ${found}`)
        }),
    ),
  )
}

/** A code with the profile that makes it what it is; an unregistered one is the same in every profile. */
function addressOf({ profile = profiles[0].name, event }: Pick<Reading, 'profile' | 'event'>): string {
  const { status_code: code = '' } = event as { readonly status_code?: string }
  return isExperimental(code) ? code : `otep:${profile}:${code}`
}

const losesNothing: Rule = async (format, setting) => {
  if (!lossless.includes(format.name)) return []
  const forms = representationsOf(format).filter(({ mediaType }) => !mediaType.endsWith('ld+json'))
  return eachOf(await kept(setting.formats), ({ name, timeline }) =>
    eachOf(forms, (form) =>
      looked(`${name} as ${formName(form)}`, async () => {
        const isXml = form.mediaType.endsWith('xml')
        if (isXml && !isXmlText(timeline)) return []
        const { text } = await written(format, form, timeline, plainTarget)
        const { timeline: back } = await keep(setting.formats, isXml ? text : JSON.parse(text), format.name)
        return sameMembers(timeline, back)
      }),
    ),
  )
}

function sameMembers(timeline: Timeline, back: Timeline | undefined): Faults {
  const [one, other] = [timeline, back].map((value) => JSON.stringify(sorted(value)) ?? '') as [string, string]
  return unless(one === other, `the timeline comes back otherwise ${parting(one, other)}`)
}

/** Whether XML 1.0 can contain every text of a timeline. */
function isXmlText(timeline: object): boolean {
  return !/[\ufffe\uffff]/.test(JSON.stringify(timeline))
}

/** A copy with the members of every object in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

/** Reading what the format itself has written. */
export const roundTripRules: Rules = {
  'given a document of its own, when it is ingested and projected again, then the bytes are the same': comesBack,
  'given a code whose meaning is kept, when its document is read, then the code is the same': keepsCodes,
  'given a format that loses nothing, when its document is ingested, then the whole timeline is there': losesNothing,
}
