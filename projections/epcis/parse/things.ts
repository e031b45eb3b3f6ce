import { canonicalKey, type Location, type Subject, type Target } from '../../../engine/index.ts'
import { identifierOf, subjectOf } from '../../shared/subject.ts'
import { glnOf, isClass, prefixOf, ssccOf } from './uris.ts'

/**
 * The subject of an object's URI, the same for every form of a GS1 key; undefined if the URI names a class of things.
 */
export function subjectOfUri(uri: string, { baseUrl }: Target): Subject | undefined {
  const identifier = identifierOf(baseUrl, uri)
  const own = identifier === undefined ? undefined : subjectOf(identifier)
  if (own !== undefined) return own
  const key = canonicalKey(uri)
  const sscc = ssccOf(key)?.digits
  if (sscc !== undefined) return { gs1_sscc: sscc }
  return isClass(key) ? undefined : { piece_id: key }
}

/** The order of a business transaction, if it is one of this server. */
export function orderOf(uri: string, { baseUrl }: Target): number | undefined {
  const identifier = identifierOf(baseUrl, uri)
  return identifier?.kind === 'order_id' ? subjectOf(identifier)?.order_id : undefined
}

/** Expands a compact URI. */
export function expanded(uri: string, prefixes: ReadonlyMap<string, string>): string {
  const colon = uri.indexOf(':')
  // Few texts have a declared prefix, and a look at those takes less time than one at the known schemes.
  const namespace = colon === -1 ? undefined : prefixes.get(uri.slice(0, colon))
  return namespace === undefined || prefixOf(uri) === undefined ? uri : `${namespace}${uri.slice(colon + 1)}`
}

const longestPieceId = 500

/** Whether a thing can be stored under its URI. */
export function isStorable({ piece_id }: Subject): boolean {
  return piece_id === undefined || piece_id.length <= longestPieceId
}

const longestName = 200

/**
 * The place of a URI: its GLN, its coordinates (RFC 5870), the place of this server whose name it contains, or the URI
 * as a name, which can also express a part of a GLN's place; undefined if the URI is too long for a name.
 */
export function locationOfUri(uri: string, { baseUrl }: Target): Location | undefined {
  const gln = glnOf(uri)
  if (gln?.digits !== undefined) return gln.part === undefined ? { gln: gln.digits } : partOf(gln.digits, uri)
  const point = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/i.exec(uri)
  if (point !== null) {
    const [latitude, longitude] = [Number(point[1]), Number(point[2])]
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  }
  const name = nameOf(uri, `${baseUrl}/id/place/`)
  return name.length > longestName ? undefined : { name }
}

function partOf(gln: string, uri: string): Location {
  return uri.length > longestName ? { gln } : { gln, name: uri }
}

function nameOf(uri: string, prefix: string): string {
  if (!uri.startsWith(prefix)) return uri
  try {
    return decodeURIComponent(uri.slice(prefix.length))
  } catch {
    return uri
  }
}

/** The identifier by which a timeline is found, by the URI of the thing. */
export function identifierOfUri(baseUrl: string): (uri: string) => string {
  return (uri) => {
    const [identifier = uri] = Object.values(subjectOfUri(uri, { baseUrl, options: {} }) ?? {}).map(String)
    return identifier
  }
}
