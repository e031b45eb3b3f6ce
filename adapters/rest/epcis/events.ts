import {
  authorizeAndValidate,
  EngineError,
  findSources,
  inSteps,
  isEngineError,
  type KeptSource,
  otepTracking,
  readVisible,
  type SourcePlace,
  type Timeline,
  visibleSources,
} from '../../../engine/index.ts'
import { type Asked, askedOf } from '../../../projections/epcis/facets.ts'
import { identifierOfUri } from '../../../projections/epcis/parse/things.ts'
import { wholeEvents } from '../../../projections/epcis/project.ts'
import { lookedUpBy, matches, type Query, queryOf } from '../../../projections/epcis/query.ts'
import { translatedJson, translatedXml } from '../../../projections/epcis/translate.ts'
import { type WholeEvent, wholeJson, wholeXml } from '../../../projections/epcis/whole.ts'
import { formOf } from '../../../projections/epcis/whole-json.ts'
import { lookUp } from '../../node/limited.ts'
import { publicHeaders } from '../respond.ts'
import {
  type Answer,
  type Cursor,
  type EpcisCall,
  formatHeaders,
  formatsOf,
  isXmlType,
  nextLink,
  pageOf,
  prefixesOf,
  respond,
  typeOfEvents,
} from './call.ts'

/** The most events that are looked at for one page; the page may then be shorter, or empty, and have a next one. */
export const maxLookedAt = 2_000

/** Answers with the caller's events that match the query, and have these values as well. */
export function queried(parameter?: string, member?: string): Answer {
  return async (call) => {
    const { searchParams } = new URL(call.request.req.url)
    const given = parameter === undefined || member === undefined ? [] : [[parameter, call.param(member)] as const]
    return answerQuery(call, queryOf([...searchParams, ...given], prefixesOf(call.request)))
  }
}

/** A page of the caller's events that match a query. */
export async function answerQuery(call: EpcisCall, query: Query): Promise<Response> {
  const { events, next } = await pageOfSources(call, query)
  return respondEvents(call, events, nextLink(call, next))
}

/** The caller's event with an id, and the declarations that it was an error. */
export const eventWithId: Answer = async (call) => {
  const facets = [{ name: 'EQ_eventID', value: call.param('eventID') }]
  const events: KeptSource[] = []
  const between = [undefined, undefined] as const
  const wanted = {
    facets,
    identifierOf: identifierOfUri(call.context.baseUrl),
    by: 'occurred',
    between,
    newestFirst: false,
  } as const
  for await (const { kept, isSeen } of findSources(call.context, wanted)) if (isSeen === true) events.push(kept)
  if (events.length === 0) throw new EngineError('epcis_event_not_found')
  return respondEvents(call, events)
}

/**
 * A page of the events that match. Only events that the caller sees count towards `maxEventCount`: where too many are
 * looked at before all are counted, the next pages go on counting, and one of them may be refused.
 */
async function pageOfSources(call: EpcisCall, query: Query) {
  const { perPage, after } = pageOf(call)
  const { orderBy, newestFirst, limit } = query
  const isByRecord = orderBy === 'recordTime'
  const wanted = {
    identifierOf: identifierOfUri(call.context.baseUrl),
    facets: isByRecord ? [] : lookedUpBy(query),
    by: isByRecord ? 'recorded' : 'occurred',
    between: isByRecord ? query.recordTime : query.eventTime,
    newestFirst,
    after: after === undefined ? undefined : placeIn(after),
  } as const
  const events: KeptSource[] = []
  // The most events that may still be given, or may still match.
  const left = typeof after?.n === 'number' ? after.n : after === undefined || !limit?.isMost ? limit?.count : undefined
  const isCounting = limit?.isMost === true && left !== undefined
  let [found, lookedAt, isCut] = [0, 0, false]
  let [last, next]: [SourcePlace | undefined, SourcePlace | undefined] = [undefined, undefined]
  for await (const source of findSources(call.context, wanted)) {
    isCut = ++lookedAt > maxLookedAt || source.isSeen === undefined
    if (isCut) {
      next ??= last
      break
    }
    const { event, prefixes } = formOf(source.kept)
    if (source.isSeen && matches(query, askedOf(event, prefixes), Date.parse(source.recordedAt))) {
      if (left !== undefined && found >= left) {
        if (isCounting) throw new EngineError('query_too_large', { limit: limit.count })
        break
      }
      found++
      if (events.length < perPage) events.push(source.kept)
      else {
        next ??= last
        if (!isCounting) break
      }
    }
    if (next === undefined) last = source
  }
  const n = left !== undefined && (!isCounting || isCut) ? left - events.length : undefined
  const isWhole = next === undefined || (n === 0 && !isCounting)
  return {
    events,
    next: isWhole || next === undefined ? undefined : { ...cursorOf(next), ...(n !== undefined && { n }) },
  }
}

export function cursorOf({ at, source, revision }: SourcePlace): Cursor {
  return { a: at, s: source, r: revision }
}

export function placeIn({ a, s, r }: Cursor): SourcePlace {
  return { at: Number(a), source: String(s), revision: Number(r) }
}

/**
 * The events of a thing: as they came for those who may see them, as the public timeline tells them for all others.
 */
export const eventsOfEpc: Answer = async (call) => {
  const { context, gateway, request } = call
  const epc = call.param('epc')
  const { searchParams } = new URL(request.req.url)
  const query = queryOf(searchParams, prefixesOf(request))
  const { perPage, after } = pageOf(call)
  const timeline = await lookUp(gateway.limits, context, () => timelineOf(call, epc))
  const isOpen = context.caller.kind === 'anonymous' && context.publicSources !== true
  const sourcesOf = isOpen ? undefined : await visibleSources(context, timeline)
  const { baseUrl, profiles } = context
  const target = { baseUrl, profiles, options: {}, ...(sourcesOf && { sourcesOf }) }
  const found = (await inSteps(wholeEvents(timeline, target), context.pause))
    .map(({ event, recordedAt }) => ({ event, recorded: Date.parse(recordedAt), asked: askedOfWhole(event) }))
    .filter(({ asked, recorded }) => matches(query, asked, recorded))
    .sort((one, other) => placeOf(one, query) - placeOf(other, query))
  if (query.newestFirst) found.reverse()
  const { limit } = query
  if (limit?.isMost && found.length > limit.count) throw new EngineError('query_too_large', { limit: limit.count })
  const all = found.slice(0, limit?.count).map(({ event }) => event)
  const start = Number(after?.o ?? 0)
  const end = start + perPage
  const link = nextLink(call, end < all.length ? { o: end } : undefined)
  return respondEvents(call, all.slice(start, end), { ...publicHeaders, ...link })
}

/** The timeline of a thing as the caller sees it. */
async function timelineOf({ context }: EpcisCall, epc: string): Promise<Timeline> {
  try {
    const tracking_number = identifierOfUri(context.baseUrl)(epc).slice(0, 500)
    authorizeAndValidate(otepTracking, context, { tracking_number })
    const { timeline } = await readVisible(context, tracking_number)
    // The standard asks for events that name the thing; those of a container name the container.
    return { ...timeline, events: timeline.events.filter(({ inherited_from }) => inherited_from === undefined) }
  } catch (error) {
    if (isEngineError(error, 'invalid_input')) throw new EngineError('timeline_not_found')
    throw error
  }
}

function askedOfWhole(event: WholeEvent): Asked {
  if (!('binding' in event)) return askedOf({ ...event }, new Map())
  const { event: form, prefixes } = formOf(event)
  return askedOf(form, prefixes)
}

function placeOf(one: { readonly asked: Asked; readonly recorded: number }, { orderBy }: Query): number {
  return orderBy === 'eventTime' ? one.asked.eventTime : one.recorded
}

function respondEvents(call: EpcisCall, events: readonly WholeEvent[], headers: Record<string, string> = {}): Response {
  const form = { as: 'query', creationDate: new Date(call.context.clock()).toISOString() } as const
  const type = typeOfEvents(call.request.req.header('accept'))
  const formats = formatsOf(call.request)
  const body = isXmlType(type)
    ? translatedXml(wholeXml(events, form), formats)
    : JSON.stringify(translatedJson(wholeJson(events, form), formats))
  return respond(call, 200, body, { 'Content-Type': type, ...formatHeaders(formats), ...headers })
}
