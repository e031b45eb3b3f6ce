import { canonicalLink, type Identifier, identifiersOf, type Location, type Subject } from '../../engine/index.ts'
import { decimalOf } from '../shared/number.ts'
import { placeText, pointOf } from '../shared/place.ts'
import { identifierUri, segment } from '../shared/subject.ts'
import { glnOf, isClass, prefixOf, uriProblem } from './parse/uris.ts'

/** The identifiers of a subject as an event names them: the parcel, and the orders that it belongs to. */
export interface Named {
  /** URIs of the parcel; of its order only if there is no other identifier. */
  readonly epcList: readonly string[]
  readonly bizTransactionList?: readonly BizTransaction[]
}

/** A business transaction: an order (CBV 2.0, Business Transaction Types). */
export interface BizTransaction {
  readonly type: 'po'
  readonly bizTransaction: string
}

/** How the events of a subject name it (CBV 2.0, User Vocabularies). */
export function named(subject: Subject, baseUrl: string): Named {
  const identifiers = identifiersOf(subject)
  const orders = identifiers.filter(({ kind }) => kind === 'order_id')
  const objects = identifiers.filter(({ kind }) => kind !== 'order_id')
  const uriOf = (identifier: Identifier) => objectUri(baseUrl, identifier)
  const epcList = (objects.length === 0 ? orders : objects).map(uriOf)
  if (orders.length === 0) return { epcList }
  return { epcList, bizTransactionList: orders.map((order) => ({ type: 'po', bizTransaction: uriOf(order) })) }
}

/** A piece id is used unchanged only if every reader takes it for the URI of a single thing. */
function objectUri(baseUrl: string, identifier: Identifier): string {
  const { kind, value } = identifier
  if (kind === 'piece_id' && !isObjectUri(value)) return `${baseUrl}/id/${kind}/${segment(value)}`
  return identifierUri(baseUrl, identifier)
}

function isObjectUri(text: string): boolean {
  return isWholeUri(text) && !isClass(text)
}

/** Whether a text is a URI (RFC 3986), not a compact one (JSON-LD), with a well-formed GS1 key if it has one. */
function isWholeUri(text: string): boolean {
  if (uriProblem(text) !== undefined || /[[\]]|#.*#/.test(text) || prefixOf(text) !== undefined) return false
  return !/^urn:epc/i.test(text) || canonicalLink(text) !== text
}

const digitalLink = 'https://id.gs1.org/414/'

/**
 * The URI of a place (CBV 2.0, locations): its name if that is a URI, its GLN as GS1 Digital Link, its coordinates as a
 * geo URI (RFC 5870), or a URI of this server that contains its name.
 */
export function placeUri(location: Location | undefined, baseUrl: string): string | undefined {
  if (location === undefined) return undefined
  const own = ownUri(location, `${baseUrl}/id/place/`)
  if (own !== undefined) return own
  if (location.gln !== undefined) return `${digitalLink}${location.gln}`
  const point = pointOf(location)
  if (point !== undefined) return `geo:${decimalOf(point.latitude)},${decimalOf(point.longitude)}`
  const text = placeText(location)
  return text === undefined ? undefined : `${baseUrl}/id/place/${segment(text)}`
}

/** The URI that a place has as its name; if it also has a GLN, only if the URI names a part of that GLN's place. */
function ownUri({ name, gln }: Location, ofServer: string): string | undefined {
  if (name === undefined || !name.includes(':') || name.startsWith(ofServer) || !isWholeUri(name)) return undefined
  return gln === undefined || glnOf(name)?.digits === gln ? name : undefined
}

/** Whether the URI of a place consists of its GLN alone. */
export function isGlnOf(location: Location | undefined, place: string): boolean {
  return location?.gln !== undefined && place === `${digitalLink}${location.gln}`
}
