import { dropQuery, EngineError, isObject, namedQueries, namedQuery, nameQuery } from '../../../engine/index.ts'
import { namedQueryOf } from '../../../projections/epcis/query.ts'
import { requesterOf } from '../../node/limited.ts'
import { readBody } from '../body.ts'
import { type Answer, nextLink, pageOf, respond, respondJson } from './call.ts'
import { answerQuery } from './events.ts'
import { streamResults } from './live.ts'

/** The largest definition of a query, in bytes. */
const maxDefinition = 64 * 1024

/** Names a query. */
export const postQuery: Answer = async (call) => {
  const { request, context } = call
  const rules = { limit: maxDefinition, lines: false, open: false, caller: requesterOf(context) }
  const body = await readBody(request.req.raw, { ...rules, types: ['application/json', 'application/ld+json'] })
  const { name, query } = isObject(body) ? body : {}
  if (typeof name !== 'string' || !/^[\w.~-]{1,100}$/.test(name)) throw refused('name', 'letters, digits and _ . ~ -')
  if (!isObject(query)) throw refused('query', 'an object of parameters')
  namedQueryOf(query)
  await nameQuery(context, { name, query })
  return respond(call, 201, null, { Location: `${context.baseUrl}/epcis/queries/${name}` })
}

function refused(parameter: string, reason: string): EngineError {
  return new EngineError('query_parameter_refused', { parameter, reason })
}

/** The named queries. */
export const getQueries: Answer = async (call) => {
  const { perPage, after } = pageOf(call)
  const start = Number(after?.o ?? 0)
  const known = await namedQueries(call.context)
  const end = start + perPage
  return respondJson(call, known.slice(start, end), nextLink(call, end < known.length ? { o: end } : undefined))
}

/** A named query. */
export const getQuery: Answer = async (call) =>
  respondJson(call, await namedQuery(call.context, call.param('queryName')))

/** Drops a named query. */
export const deleteQuery: Answer = async (call) => {
  await dropQuery(call.context, call.param('queryName'))
  return respond(call, 204, null)
}

/** The events of a named query. */
export const eventsOfQuery: Answer = async (call) => {
  const { query } = await namedQuery(call.context, call.param('queryName'))
  const { searchParams } = new URL(call.request.req.url)
  const isLive = searchParams.get('stream') === 'true'
  for (const name of searchParams.keys()) {
    if (isLive ? name === 'stream' : name === 'perPage' || name === 'nextPageToken') continue
    const reason = 'a live response has stream=true alone; a subscription can have a schedule'
    throw new EngineError('query_parameter_not_offered', { parameter: name, reason })
  }
  if (isLive) return streamResults(call)
  return answerQuery(call, namedQueryOf(query))
}
