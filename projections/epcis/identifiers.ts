import type { Location, Subject } from '../../engine/index.ts'
import { placeText, pointOf } from '../shared/place.ts'
import { type Identifier, identifiersOf, identifierUri, segment } from '../shared/subject.ts'
import { canonicalLink } from './digital-link.ts'
import { isClass, prefixOf, uriProblem } from './parse/uris.ts'

/** The identifiers of a subject as an event names them: what is tracked, and the orders that it belongs to. */
export interface Named {
  /** URIs of the parcel; of its order only where nothing else is known of it. */
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

/** A piece id stays as it stands only where everybody reads it as the URI of one thing. */
function objectUri(baseUrl: string, identifier: Identifier): string {
  const { kind, value } = identifier
  if (kind === 'piece_id' && !isObjectUri(value)) return `${baseUrl}/id/${kind}/${segment(value)}`
  return identifierUri(baseUrl, identifier)
}

/** Whether a text is a URI (RFC 3986), not a compact one (JSON-LD), of a single thing whose GS1 key is well-formed. */
function isObjectUri(text: string): boolean {
  if (uriProblem(text) !== undefined || /[[\]]|#.*#/.test(text)) return false
  if (prefixOf(text) !== undefined || isClass(text)) return false
  return !/^urn:epc/i.test(text) || canonicalLink(text) !== text
}

/**
 * The URI of a place (CBV 2.0, locations): its GLN as GS1 Digital Link, its point as a geo URI (RFC 5870), or a URI of
 * this server that is made of its name.
 */
export function placeUri(location: Location | undefined, baseUrl: string): string | undefined {
  if (location === undefined) return undefined
  if (location.gln !== undefined) return `https://id.gs1.org/414/${location.gln}`
  const point = pointOf(location)
  if (point !== undefined) return `geo:${decimal(point.latitude)},${decimal(point.longitude)}`
  const text = placeText(location)
  return text === undefined ? undefined : `${baseUrl}/id/place/${segment(text)}`
}

/** A number in plain decimals, as geo URIs and event hashes have them: never `1e-7`. */
export function decimal(number: number): string {
  const text = String(number)
  return text.includes('e') ? number.toFixed(20).replace(/\.?0+$/, '') : text
}
