import {
  EngineError,
  excerptOf,
  instantOf,
  type LoadedTimeline,
  projectedFor,
  type RevisionRead,
  readParcels,
  readRevision,
} from '../../../engine/index.ts'
import { many } from '../../../projections/onerecord/names.ts'
import { objectsIn, standalone } from '../../../projections/onerecord/resource.ts'
import type { Collection, LogisticsObject, Shipment } from '../../../projections/onerecord/schema.ts'
import { type Answer, formatOf, iriOf, type OneRecordCall, respond, respondEmpty } from './call.ts'
import { isOwnName, type ObjectId, objectIdIn, orderOf, pathOfId } from './object-name.ts'
import { flagIn, instantIn, refusedParameter } from './parameters.ts'

/** A logistics object with all others that its document has, and its revision. */
interface FoundObject {
  readonly object: LogisticsObject
  readonly others: readonly LogisticsObject[]
  /** Counted from 1. */
  readonly revision: number
  readonly latest: number
  /** ISO 8601. */
  readonly modified: string
}

/** The parameters of a request for a logistics object. */
export const objectParameters = ['embedded', 'at'] as const

/** A logistics object. */
export const getObject: Answer = async (call) => {
  const embedded = flagIn(call.request, 'embedded')
  const at = instantIn(call.request, 'at')
  const found = await objectAt(call, at === undefined ? undefined : instantOf(at))
  if (found instanceof Response) return found
  const { object, others, modified } = found
  const shown = embedded ? embeddedIn(object, others) : object
  return respond(call, standalone(shown), { type: iriOf(object['@type']), modified, headers: revisionHeaders(found) })
}

const requestStatus =
  /^(?:https:\/\/onerecord\.iata\.org\/ns\/api#)?REQUEST_(?:ACCEPTED|ACKNOWLEDGED|FAILED|PENDING|REJECTED|REVOKED)$/

/** The audit trail of a logistics object. Objects are never changed on request, so it has no requests. */
export const getAuditTrail: Answer = async (call) => {
  for (const name of ['updated-from', 'updated-to']) instantIn(call.request, name)
  const status = call.request.req.query('status')
  if (status !== undefined && !requestStatus.test(status))
    throw refusedParameter('status', 'unknown_value', {
      received: excerptOf(status),
      expected: 'REQUEST_ACCEPTED, ...',
    })
  const found = await objectAt(call)
  if (found instanceof Response) return found
  const { object, latest, modified } = found
  const trail = {
    '@id': `${object['@id']}/audit-trail`,
    '@type': 'api:AuditTrail',
    'api:hasLatestRevision': {
      '@type': 'http://www.w3.org/2001/XMLSchema#positiveInteger',
      '@value': String(latest),
    },
  }
  return respond(call, standalone(trail), { type: iriOf('api:AuditTrail'), modified, headers: revisionHeaders(found) })
}

function revisionHeaders({ revision, latest }: FoundObject): Record<string, string> {
  return { Revision: String(revision), 'Latest-Revision': String(latest) }
}

/** The object of the path, as it was at an instant; a response that leads to its own address if it has another one. */
export async function objectAt(call: OneRecordCall, at?: number): Promise<FoundObject | Response> {
  const id = objectIdIn(call.param('object'))
  const order = orderOf(id)
  if (order !== undefined) return ofOrder(call, id, order, at)
  const read = await readRevision(call.context, id.thing, at)
  if (!isOwnName(id, read)) return elsewhere(call, id, read)
  const { revision, latest, recordedAt: modified } = read
  const all = objectsIn(await documentOf(call, read))
  return { ...named(all, id), revision: revision + 1, latest: latest + 1, modified }
}

/** Leads from another identifier of a thing to its own address. */
export function elsewhere(
  call: OneRecordCall,
  { thing, part }: ObjectId,
  { name }: Pick<LoadedTimeline, 'name'>,
): Response {
  const { pathname, search } = new URL(call.request.req.url)
  const rest = pathname.slice(pathname.indexOf(call.param('object')) + call.param('object').length)
  if (name === '' || name === thing) throw new EngineError('timeline_not_found')
  const path = `/onerecord/logistics-objects/${pathOfId(name, part)}${rest}${search}`
  return respondEmpty(call, 303, { Location: `${call.context.baseUrl}${path}` })
}

/** The document of a timeline. */
export async function documentOf({ context }: OneRecordCall, read: LoadedTimeline): Promise<Collection> {
  return (await projectedFor<Collection>(context, read, formatOf(context))).document
}

/** The shipment of an order, or its waybill: of all its parcels that the caller may see. */
async function ofOrder(call: OneRecordCall, id: ObjectId, order: number, at?: number): Promise<FoundObject> {
  const { context } = call
  const reads: RevisionRead[] = []
  for (const { name } of await readParcels(context, order)) reads.push(await readRevision(context, name, at))
  const documents = await Promise.all(
    reads.map((read) => documentOf(call, { ...read, timeline: { ...read.timeline, events: [] } })),
  )
  const all = documents.flatMap(objectsIn)
  const pieces = all.flatMap((one) => (one['@type'] === 'cargo:Shipment' ? many(one['cargo:pieces']) : []))
  const [first] = pieces
  const { object, others } = named(all, id)
  const total = (count: (read: RevisionRead) => number) => reads.reduce((sum, read) => sum + count(read) + 1, 0)
  return {
    object:
      object['@type'] === 'cargo:Shipment' && first !== undefined
        ? joinedShipment(object, [first, ...pieces.slice(1)])
        : object,
    others,
    revision: total(({ revision }) => revision),
    latest: total(({ latest }) => latest),
    modified:
      reads
        .map(({ recordedAt }) => recordedAt)
        .sort()
        .at(-1) ?? '',
  }
}

function joinedShipment(shipment: Shipment, pieces: [Link, ...Link[]]): Shipment {
  return { ...shipment, 'cargo:pieces': pieces.length === 1 ? pieces[0] : pieces }
}

type Link = Extract<Shipment['cargo:pieces'], { '@id': string }>

/** The object with an id among all of a document. A waybill with a number comes before one without. */
function named(all: readonly LogisticsObject[], { part }: ObjectId): Pick<FoundObject, 'object' | 'others'> {
  const found =
    part === undefined
      ? all.filter(({ '@type': type }) => type === 'cargo:Piece')
      : all.filter(({ '@id': uri }) => uri.endsWith(`:${part}`))
  const object = found.find((one) => 'cargo:waybillNumber' in one) ?? found[0]
  if (object === undefined) throw new EngineError('resource_not_found')
  return { object, others: all }
}

/** An object with the objects that it links to in place of the links. An object within itself stays a link. */
function embeddedIn(object: LogisticsObject, others: readonly LogisticsObject[]): object {
  const known = new Map([...others, object].map((one) => [one['@id'], one]))
  const within = (value: unknown, above: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => within(one, above))
    if (typeof value !== 'object' || value === null) return value
    const id = (value as { readonly '@id'?: string })['@id'] ?? ''
    if (above.includes(id)) return value
    const whole = known.get(id) ?? value
    return Object.fromEntries(Object.entries(whole).map(([name, member]) => [name, within(member, [...above, id])]))
  }
  return within(object, []) as object
}
