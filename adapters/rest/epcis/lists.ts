import { EngineError, listSourceValues } from '../../../engine/index.ts'
import { bizSteps } from '../../../projections/epcis/codes.ts'
import { gs1Contexts } from '../../../projections/epcis/parse/context.ts'
import { eventTypes } from '../../../projections/epcis/parse/shapes.ts'
import { wordsOf } from '../../../projections/epcis/parse/words.ts'
import { type Answer, nextLink, pageOf, respondJson } from './call.ts'

function collection(member: readonly string[]) {
  return { '@context': gs1Contexts[0], type: 'Collection', member }
}

/** A list that is the same for everybody. */
export function fixed(member: readonly string[]): Answer {
  return async (call) => respondJson(call, collection(member))
}

/** The list of the resources below an item. */
export const subResources: Answer = fixed(['events'])

/** The types of event. */
export const listEventTypes: Answer = fixed(eventTypes)

/** The words of CBV, and then the caller's own words; or the caller's own values alone. */
export function valuesOf(parameter: string, words: readonly string[] = []): Answer {
  return async (call) => {
    const { perPage, after } = pageOf(call)
    const start = typeof after?.w === 'number' ? after.w : after === undefined ? 0 : words.length
    const known = words.slice(start, start + perPage)
    if (start + known.length < words.length)
      return respondJson(call, collection(known), nextLink(call, { w: start + known.length }))
    const from = typeof after?.v === 'string' ? after.v : undefined
    const limit = perPage - known.length
    const found = await listSourceValues(call.context, parameter, { after: from, limit: limit + 1 })
    const member = [...known, ...found.slice(0, limit)]
    const last = found[limit - 1]
    const next = found.length > limit ? (last === undefined ? { w: words.length } : { v: last }) : undefined
    return respondJson(call, collection(member), nextLink(call, next))
  }
}

export const listBizSteps: Answer = valuesOf('EQ_bizStep', bizSteps)
export const listDispositions: Answer = valuesOf('EQ_disposition', wordsOf('disposition'))

/** Refuses a resource that is not offered. */
export function notOffered(reason: string): Answer {
  return async () => {
    throw new EngineError('epcis_resource_not_offered', { reason })
  }
}
