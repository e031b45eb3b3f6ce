import { EngineError, listSourceValues, type ValuesPlace } from '../../../engine/index.ts'
import { bizSteps } from '../../../projections/epcis/codes.ts'
import { gs1Contexts } from '../../../projections/epcis/parse/context.ts'
import { eventTypes } from '../../../projections/epcis/parse/shapes.ts'
import { identifierOfUri } from '../../../projections/epcis/parse/things.ts'
import { wordsOf } from '../../../projections/epcis/parse/words.ts'
import { translatedKeys } from '../../../projections/epcis/translate.ts'
import { type Answer, type Cursor, formatHeaders, formatsOf, nextLink, pageOf, respond, respondJson } from './call.ts'
import { cursorOf, maxLookedAt, placeIn } from './events.ts'

function collection(member: readonly string[]) {
  return { '@context': gs1Contexts[0], type: 'Collection', member }
}

/** A list that is the same for everybody. */
export function fixed(member: readonly string[]): Answer {
  return async (call) => {
    const { perPage, after } = pageOf(call)
    const start = Number(after?.o ?? 0)
    const end = start + perPage
    const next = end < member.length ? { o: end } : undefined
    return respondJson(call, collection(member.slice(start, end)), nextLink(call, next))
  }
}

/** The list of the resources below an item. */
export const subResources: Answer = fixed(['events'])

/** The types of event. */
export const listEventTypes: Answer = fixed(eventTypes)

function textOf(value: string | undefined): Cursor {
  return value === undefined ? {} : { v: value }
}

function placeOf(after: Cursor | undefined): ValuesPlace {
  return {
    value: typeof after?.v === 'string' ? after.v : undefined,
    event: after?.s === undefined ? undefined : placeIn(after),
  }
}

/** The words of CBV, and then the caller's own words; or the caller's own values alone. */
export function valuesOf(parameter: string, words: readonly string[] = []): Answer {
  return async (call) => {
    const { perPage, after } = pageOf(call)
    const start = Number(after?.w ?? 0)
    const known = words.slice(start, start + perPage)
    if (start + known.length < words.length)
      return respondJson(call, collection(known), nextLink(call, { w: start + known.length }))
    const { values, next } = await listSourceValues(call.context, parameter, {
      ...{ after: placeOf(after), limit: perPage - known.length, maxLookedAt },
      identifierOf: identifierOfUri(call.context.baseUrl),
    })
    const cursor = next && { ...textOf(next.value), ...(next.event && cursorOf(next.event)) }
    const formats = formatsOf(call.request)
    return respondJson(call, collection([...known, ...translatedKeys(values, formats)]), {
      ...formatHeaders(formats),
      ...nextLink(call, cursor && { w: words.length, ...cursor }),
    })
  }
}

export const listBizSteps: Answer = valuesOf('EQ_bizStep', bizSteps)
export const listDispositions: Answer = valuesOf('EQ_disposition', wordsOf('disposition'))

/** The same answer, for a member of the path that is a URI or one of these words; all others do not exist. */
export function ofWord(answer: Answer, member: string, words: readonly string[] | undefined): Answer {
  return async (call) => {
    const one = call.param(member)
    if (words !== undefined && !one.includes(':') && !words.includes(one)) throw new EngineError('route_not_found')
    return answer(call)
  }
}

/** Releases what the server holds for the token of a page, which is nothing: the token itself says where the page begins. */
export const releaseToken: Answer = async (call) => respond(call, 204, null)
