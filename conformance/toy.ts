import * as v from 'valibot'
import { isObject, type Projection, type Subject, type TimelineEvent } from '../engine/index.ts'
import { keptMappings } from '../projections/shared/codes.ts'
import { nameOf, segment } from '../projections/shared/subject.ts'
import { stringified } from '../projections/shared/template/index.ts'

/** A document of the toy format: the events in force and the withdrawn, each with a link to itself. */
export interface ToyDocument {
  readonly words?: string
  readonly root: string
  readonly profile: string
  readonly subject: Readonly<Record<string, string | number>>
  readonly events: readonly ToyEvent[]
}

interface ToyEvent {
  readonly link: string
  readonly members: string
}

const schema = v.strictObject({
  words: v.exactOptional(v.string()),
  root: v.string(),
  profile: v.string(),
  subject: v.record(v.string(), v.union([v.string(), v.number()])),
  events: v.array(v.strictObject({ link: v.string(), members: v.string() })),
})

/** A format that follows every rule and has no other purpose. */
export const toy: Projection<ToyDocument> = {
  name: 'toy',
  title: 'Toy',
  standard: 'Toy 1.0',
  version: '1',
  representations: [{ mediaType: 'application/xml', write: xmlOf }],
  kind: 'history',
  external: true,
  codes: keptMappings((_, code) => code, ['x-*']),
  losses: ['Nothing is lost but the sense.'],
  schema,
  options: v.strictObject({ words: v.exactOptional(v.picklist(['short', 'long'])) }),
  ...stringified(({ profile, subject, events, withdrawn_events = [] }, { baseUrl, options }) => {
    const root = `${baseUrl}/api/v1/otep/trackings/${segment(nameOf(subject).value)}/toy`
    const line = (event: TimelineEvent, index: number) => ({ link: `${root}/events/${index}`, members: sorted(event) })
    const lines = [...events, ...withdrawn_events].map(line)
    return { ...options, root: baseUrl, profile, subject: ordered(subject), events: lines }
  }),
  resource: ({ events }, path) => events.find(({ link }) => link.endsWith(`/toy/${path}`)),
  parse: (document) => {
    const { profile, subject, events } = isObject(document) ? document : {}
    if (!isObject(subject) || !Array.isArray(events)) return []
    return events.map((event: unknown, index) => {
      const path = `events[${index}]`
      const read = eventIn(event)
      return read === undefined
        ? { path, findings: [{ path, code: 'required' }] }
        : { path, subject, event: read, ...(typeof profile === 'string' && { profile }) }
    })
  },
}

function ordered(value: Subject): Readonly<Record<string, string | number>> {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** An event as a text, its members in the order of their names. */
function sorted(event: TimelineEvent): string {
  return JSON.stringify(event, (_, value: unknown) => (isObject(value) ? ordered(value as Subject) : value))
}

function eventIn(line: unknown): object | undefined {
  if (!isObject(line) || typeof line.members !== 'string') return undefined
  try {
    const event: unknown = JSON.parse(line.members)
    return isObject(event) ? event : undefined
  } catch {
    return undefined
  }
}

function xmlOf({ events }: ToyDocument): string {
  const escaped = (text: string) => text.replace(/[^ -~]|[<>&]/gu, '?')
  return `<toy>${events.map(({ members }) => `<event>${escaped(members)}</event>`).join('')}</toy>`
}
