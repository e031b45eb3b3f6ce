import type { Location, Subject, Target } from '../../../engine/index.ts'
import { identifierOf, subjectOf } from '../../shared/subject.ts'
import { canonicalKey } from '../digital-link.ts'
import { glnOf, isClass, prefixOf, ssccOf } from './uris.ts'

/**
 * The subject that the URI of an object stands for, the same for every spelling of a GS1 key; nothing where it names a
 * class of things.
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

/** The order that a business transaction stands for, where it is one of this server. */
export function orderOf(uri: string, { baseUrl }: Target): number | undefined {
  const identifier = identifierOf(baseUrl, uri)
  return identifier?.kind === 'order_id' ? subjectOf(identifier)?.order_id : undefined
}

/** A compact URI in full. */
export function expanded(uri: string, prefixes: ReadonlyMap<string, string>): string {
  const prefix = prefixOf(uri)
  const namespace = prefix === undefined ? undefined : prefixes.get(prefix)
  return prefix === undefined || namespace === undefined ? uri : `${namespace}${uri.slice(prefix.length + 1)}`
}

const longestName = 200

/**
 * The place of a URI: its GLN, its point (RFC 5870), the place of this server that was made of a name, or the URI as a
 * name, which also tells the part of a place that a GLN alone does not; nothing where the URI is too long for that.
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
