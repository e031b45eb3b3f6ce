import { createHash } from 'node:crypto'
import type { Subject, Target } from '../../engine/index.ts'
import { timelineUrl } from '../shared/subject.ts'
import { utcOf } from '../shared/time.ts'
import type { DateTime, Double } from './schema.ts'

/** Everything of a timeline lies below this URL, as below the base URL of a ONE Record server. */
export function rootOf(subject: Subject, target: Target): string {
  return `${timelineUrl(target, subject)}/onerecord`
}

/** The URI of a logistics object (ONE Record API 2.2, Logistics Object URI); ours are named after what they hold. */
export function objectUri(root: string, kind: string, content: string): string {
  return `${root}/logistics-objects/${kind}-${uuid(`${kind}#${content}`)}`
}

/** The id of a node within another, which has no address: `internal:<uuid5>` (implementation guidelines, embedded objects). */
export function embeddedId(parent: string, name: string): string {
  return `internal:${uuid(`${parent}#${name}`)}`
}

const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

/** The UUID of a name, version 5 in the namespace of URLs (RFC 9562, section 5.5). */
function uuid(name: string): string {
  const bytes = createHash('sha1').update(urlNamespace).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Several of something, none or one, as the compacted form of JSON-LD has them. */
export function some<Item>(items: readonly Item[]): Item | Item[] | undefined {
  return items.length > 1 ? [...items] : items[0]
}

/** What `some` was made of. */
export function many<Item>(items: Item | Item[] | undefined): readonly Item[] {
  if (items === undefined) return []
  return Array.isArray(items) ? items : [items]
}

/** An instant in UTC, always (implementation guidelines, date and time). */
export function dateTime(instant: string): DateTime {
  return { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': utcOf(instant) }
}

/** A number; written plainly, a whole one would be an integer. */
export function double(value: number): Double {
  return { '@type': 'http://www.w3.org/2001/XMLSchema#double', '@value': String(value) }
}
