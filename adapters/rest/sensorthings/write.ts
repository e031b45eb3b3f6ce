import * as v from 'valibot'
import { type Context, EngineError, isEngineError, parse } from '../../../engine/index.ts'
import type { Node } from '../../../projections/sensorthings/graph.ts'
import { optionsOf, pathOf, type Way } from '../../../projections/sensorthings/query/index.ts'
import { type Answered, bareEntity, writtenOptions } from './answer.ts'
import type { ThingsCall } from './call.ts'
import { createObservation, createObservations } from './create.ts'
import { orRefusal } from './observation-input.ts'

/** The answer to what was created, and its address if it is one entity. */
export type Created = Answered & { readonly location?: string }

/** The most Observations in one call. */
export const maxObservations = 10_000

const dataArray = v.strictObject({
  Datastream: v.strictObject({ '@iot.id': v.string() }),
  components: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(20)),
  'dataArray@iot.count': v.exactOptional(v.number()),
  dataArray: v.array(v.array(v.unknown())),
})
const dataArrays = v.pipe(v.array(dataArray), v.minLength(1), v.maxLength(1_000))

/** Creates what a body at a path says (18-088, 10.2 and 12.3). */
export async function answerCreate(call: ThingsCall, path: string, body: unknown): Promise<Created> {
  optionsOf(writtenOptions(call), 'Things', 'value')
  if (path === 'CreateObservations') return { json: await createMany(call.context, body) }
  const ways = pathOf(path)?.ways
  const last = ways?.at(-1)
  if (ways === undefined || last?.id !== undefined || last?.isMany !== true) throw new EngineError('route_not_found')
  if (last.set !== 'Observations') throw notOffered('POST', last.set)
  const node = await createObservation(call.context, datastreamIn(ways, body), body)
  return { json: bareEntity(node), location: node.entity['@iot.selfLink'] }
}

/** The Datastream that the path or the body names. */
function datastreamIn(ways: readonly Way[], body: unknown): string {
  const before = ways.at(-2)
  if (before?.set === 'Datastreams' && before.id !== undefined) return before.id
  const named = v.safeParse(v.object({ Datastream: v.object({ '@iot.id': v.string() }) }), body)
  if (ways.length === 1 && named.success) return named.output.Datastream['@iot.id']
  throw new EngineError('invalid_input', { count: 1 }, [{ path: 'Datastream', code: 'required' }])
}

/** The addresses of the created Observations; `error` and the reason in place of one that was refused. */
async function createMany(context: Context, body: unknown): Promise<readonly string[]> {
  const { value, findings } = parse(dataArrays, body)
  if (value === undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  const count = value.reduce((sum, { dataArray: rows }) => sum + rows.length, 0)
  if (count > maxObservations) throw new EngineError('query_too_large', { limit: maxObservations })
  const links: string[] = []
  for (const { Datastream: stream, components, dataArray: rows } of value) {
    const bodies = rows.map((row) => memberOf(components, row))
    const made = await orRefusal(() => createObservations(context, stream['@iot.id'], bodies))
    for (const [at] of bodies.entries()) links.push(linkOrError(isEngineError(made) ? made : made[at]))
  }
  return links
}

/** An Observation of a row; `FeatureOfInterest/id` is the link to one. */
function memberOf(components: readonly string[], row: readonly unknown[]): object {
  const members = components.flatMap((name, at): readonly (readonly [string, unknown])[] => {
    const value = row[at] ?? undefined
    if (value === undefined) return []
    return [name === 'FeatureOfInterest/id' ? ['FeatureOfInterest', { '@iot.id': value }] : [name, value]]
  })
  return Object.fromEntries(members)
}

function linkOrError(made: Node | EngineError | undefined): string {
  if (made === undefined) return 'error'
  if (!isEngineError(made)) return made.entity['@iot.selfLink']
  const [first] = made.findings
  return `error: ${first === undefined ? made.code : `${first.path} ${first.code}`}`
}

/** Why a method is not offered. */
export function notOffered(method: string, set = ''): EngineError {
  const reason =
    method === 'POST'
      ? 'a Thing and all that belongs to it come to be with its events'
      : 'what was reported is never changed; its producer withdraws or corrects it as an event'
  return new EngineError('query_parameter_not_offered', { parameter: `${method} ${set}`.trim(), reason })
}
