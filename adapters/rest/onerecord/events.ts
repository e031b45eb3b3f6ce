import type { Context as Request } from 'hono'
import { EngineError, excerptOf, instantOf, readRevision } from '../../../engine/index.ts'
import { eventsIn, objectsIn, standalone } from '../../../projections/onerecord/resource.ts'
import type { Collection, LogisticsEvent } from '../../../projections/onerecord/schema.ts'
import { type Answer, iriOf, respond } from './call.ts'
import { decoded, isOwnName, objectIdIn } from './object-name.ts'
import { documentOf, elsewhere, objectAt } from './objects.ts'
import { instantIn, refusedParameter, wholeIn } from './parameters.ts'

/** The filters of events: as API 2.2 and 2.3 spell them, and as earlier versions did. */
const filters = {
  'event-code': ['eventCode', 'event-type', 'eventType'],
  'occurred-after': ['occurredAfter', 'occurred_after'],
  'occurred-before': ['occurredBefore', 'occurred_before'],
  'created-after': ['createdAfter', 'created_after'],
  'created-before': ['createdBefore', 'created_before'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Filter = keyof typeof filters

/** The parameters of a request for the events of a logistics object. */
export const eventParameters: readonly string[] = [
  ...Object.entries(filters).flatMap(([name, others]) => [name, ...others]),
  ...['limit', 'skip', 'sort'],
]

/** The parameters that may be repeated. */
export const repeatedParameters = ['event-code', ...filters['event-code']]

/** What events are asked for, in which order, and which part of them. */
interface Wanted {
  isMeant(event: LogisticsEvent): boolean
  readonly order: (one: LogisticsEvent, other: LogisticsEvent) => number
  readonly skip: number
  readonly limit: number
}

/** The spelling of a filter in a request; undefined if it is not there. Two spellings of one filter are refused. */
function spellingIn({ req }: Request, filter: Filter): string | undefined {
  const given = [filter, ...filters[filter]].filter((name) => req.query(name) !== undefined)
  if (given.length > 1) throw refusedParameter(given[1] ?? filter, 'not_unique')
  return given[0]
}

function wantedIn(request: Request): Wanted {
  const instant = (filter: Filter) => {
    const name = spellingIn(request, filter)
    const at = name === undefined ? undefined : instantIn(request, name)
    return at === undefined ? undefined : instantOf(at)
  }
  const codes = codesIn(request)
  const occurred = within(instant('occurred-after'), instant('occurred-before'))
  const created = within(instant('created-after'), instant('created-before'))
  return {
    isMeant: (event) =>
      occurred(timeOf(event, 'cargo:eventDate')) &&
      created(timeOf(event, 'cargo:creationDate')) &&
      (codes === undefined || codes(event['cargo:eventCode']['@id'])),
    order: orderIn(request),
    skip: wholeIn(request, 'skip', 0) ?? 0,
    limit: wholeIn(request, 'limit', 1) ?? Number.POSITIVE_INFINITY,
  }
}

function within(after: number | undefined, before: number | undefined): (at: number) => boolean {
  return (at) => (after === undefined || at > after) && (before === undefined || at < before)
}

type EventTime = 'cargo:eventDate' | 'cargo:creationDate'

function timeOf(event: LogisticsEvent, name: EventTime): number {
  return instantOf(event[name]['@value'])
}

/** A code is meant by its whole IRI, or by what follows the `#` in it. */
function codesIn(request: Request): ((iri: string) => boolean) | undefined {
  const name = spellingIn(request, 'event-code')
  if (name === undefined) return undefined
  const codes = (request.req.queries(name) ?? []).flatMap((value) => value.split(',')).map((value) => value.trim())
  if (codes.some((code) => code === '')) throw refusedParameter(name, 'required', { field: name })
  return (iri) => codes.some((code) => code === iri || code === iri.slice(iri.indexOf('#') + 1))
}

const sortKeys: Readonly<Record<string, EventTime>> = {
  occurred: 'cargo:eventDate',
  eventDate: 'cargo:eventDate',
  created: 'cargo:creationDate',
  creationDate: 'cargo:creationDate',
}

/** `asc` and `desc` by the time of occurrence, or one of the two times, with `-` before it for the latest first. */
function orderIn({ req }: Request): Wanted['order'] {
  const sort = req.query('sort')
  if (sort === undefined || sort === 'asc') return () => 0
  const [, sign, name = ''] = /^([-+ ]?)(\w+)$/.exec(sort === 'desc' ? '-eventDate' : sort) ?? []
  const key = Object.hasOwn(sortKeys, name) ? sortKeys[name] : undefined
  if (key === undefined) {
    const expected = ['asc', 'desc', ...Object.keys(sortKeys).flatMap((one) => [one, `-${one}`])]
    throw refusedParameter('sort', 'unknown_value', { received: excerptOf(sort), expected: expected.join(', ') })
  }
  const turn = sign === '-' ? -1 : 1
  return (one, other) => turn * (timeOf(one, key) - timeOf(other, key))
}

/** The events of a logistics object. Only pieces have some. */
export const getEvents: Answer = async (call) => {
  const wanted = wantedIn(call.request)
  const id = objectIdIn(call.param('object'))
  const type = iriOf('api:Collection')
  if (id.part !== undefined) {
    const found = await objectAt(call)
    if (found instanceof Response) return found
    const none = collection(`${found.object['@id']}/logistics-events`, 0, [], [found.object])
    return respond(call, none, { type, modified: found.modified })
  }
  const read = await readRevision(call.context, id.thing)
  if (!isOwnName(id, read)) return elsewhere(call, id, read)
  const document = await documentOf(call, read)
  const meant = eventsIn(document).filter(wanted.isMeant).sort(wanted.order)
  const shown = meant.slice(wanted.skip, wanted.skip + wanted.limit)
  const answer = collection(document['@id'], meant.length, shown, objectsIn(document))
  return respond(call, answer, { type, modified: read.recordedAt })
}

type One<Item> = Item | Item[]

/** A list of events with the objects that they link to. */
function collection(
  uri: string,
  total: number,
  events: readonly LogisticsEvent[],
  objects: Parameters<typeof linkedOf>[1],
): Collection {
  const [item, ...more] = events
  const included = linkedOf(events, objects)
  return standalone({
    '@id': uri,
    '@type': 'api:Collection',
    'api:hasTotalItems': {
      '@type': 'http://www.w3.org/2001/XMLSchema#nonNegativeInteger',
      '@value': String(total),
    },
    ...(item !== undefined && { 'api:hasItem': (more.length === 0 ? item : [item, ...more]) as One<LogisticsEvent> }),
    '@included': (included.length === 1 ? included[0] : included) as Collection['@included'],
  } as const) as Collection
}

/** The objects that events link to; the first is the one that they happened to, which is always there. */
function linkedOf(
  events: readonly LogisticsEvent[],
  objects: ReturnType<typeof objectsIn>,
): ReturnType<typeof objectsIn> {
  const linked = new Set(
    events.flatMap(
      ({ 'cargo:eventLocation': place, 'cargo:recordingOrganization': by, 'cargo:externalReferences': documents }) => [
        place?.['@id'],
        by?.['@id'],
        ...[documents ?? []].flat().map(({ '@id': id }) => id),
      ],
    ),
  )
  return objects.filter(
    ({ '@id': id, '@type': type }, at) =>
      at === 0 || linked.has(id) || type === 'cargo:Shipment' || type === 'cargo:Waybill',
  )
}

/** One event of a piece. */
export const getEvent: Answer = async (call) => {
  const id = objectIdIn(call.param('object'))
  const read = await readRevision(call.context, id.thing)
  if (!isOwnName(id, read)) return elsewhere(call, id, read)
  const document = await documentOf(call, read)
  const wanted = call.param('event')
  const start = document['@id'].length + 1
  const found = eventsIn(document).find(
    ({ '@id': uri }) => uri.slice(start) === wanted || decoded(uri.slice(start)) === decoded(wanted),
  )
  if (found === undefined || id.part !== undefined) throw new EngineError('resource_not_found')
  return respond(call, standalone(found), {
    ...{ type: iriOf('cargo:LogisticsEvent'), modified: found['cargo:creationDate']['@value'] },
    headers: { Location: found['@id'] },
  })
}
