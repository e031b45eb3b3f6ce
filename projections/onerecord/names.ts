import { type Subject, sha1, type Target } from '../../engine/index.ts'
import { nameOf, segment } from '../shared/subject.ts'
import {
  digits,
  either,
  encodedUrl,
  joined,
  list,
  type Plain,
  plain,
  type Template,
  text,
  within,
  wrapped,
} from '../shared/template/index.ts'
import { utcOf } from '../shared/time.ts'
import type { DateTime, Double } from './schema.ts'

/** The path of the ONE Record server, below which all logistics objects are. */
export const onerecordPath = '/onerecord'

/** The kind of a logistics object that is named after its content. */
type ObjectKind = 'location' | 'organization' | 'signature' | 'photo'

/** The part of a name that distinguishes an object from the thing that it belongs to. */
export type ObjectName = Plain | 'shipment' | 'waybill'

/** The name of a logistics object (ONE Record API, Logistics Object URI), derived from its content. */
export function objectName(kind: ObjectKind, content: string): Plain {
  return joined(kind, '-', uuid(`${kind}#${content}`))
}

/** The URI of the piece of a timeline: by the name of the timeline, otherwise by the preferred identifier of the subject. */
export function pieceUri({ baseUrl, timeline }: Target, subject: Subject): Plain {
  return objectUri(baseUrl, timeline ?? nameOf(subject).value)
}

/** The URI of the logistics object that is named after a thing. */
export function objectUri(baseUrl: string, thing: string): Plain {
  return joined(encodedUrl(baseUrl), onerecordPath, '/logistics-objects/', segment(thing))
}

/** The URI of an object that belongs to the object `owner`. No segment of a path has a colon itself. */
export function partUri(owner: Plain, name: ObjectName): Plain {
  return joined(owner, ':', name)
}

/**
 * The id of a node within another node, which is not served at a URL: `internal:<uuid5>` (implementation guidelines,
 * embedded objects).
 */
export function embeddedId(parent: string, name: string): Plain {
  return joined('internal:', uuid(`${parent}#${name}`))
}

/** The namespace of URLs, 6ba7b811-9dad-11d1-80b4-00c04fd430c8 (RFC 9562, section 6.6). */
const urlNamespace = Uint8Array.of(
  ...[0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1],
  ...[0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8],
)

const utf8 = new TextEncoder()

/** The longest name, in characters, that fits the prepared bytes. A character takes three bytes at most. */
const roomy = 1_000
const room = new Uint8Array(urlNamespace.length + 3 * roomy)
room.set(urlNamespace)
const roomForName = room.subarray(urlNamespace.length)

/** The version 5 UUID of a name in the namespace of URLs (RFC 9562, section 5.5). */
function uuid(name: string): Plain {
  const hex = sha1(inNamespace(name))
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as Plain
}

function inNamespace(name: string): Uint8Array {
  if (name.length > roomy) return longInNamespace(utf8.encode(name))
  return room.subarray(0, urlNamespace.length + utf8.encodeInto(name, roomForName).written)
}

function longInNamespace(name: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(urlNamespace.length + name.length)
  bytes.set(urlNamespace)
  bytes.set(name, urlNamespace.length)
  return bytes
}

/** Values in the compacted form of JSON-LD: left out, a single value, or an array. */
export function some<Input, Item, Output>(
  items: (input: Input) => readonly Item[],
  each: Template<Item, Output>,
): Template<Input, Output | Output[] | undefined> {
  return either(
    (input) => items(input).length > 1,
    list(items, each),
    within((input) => items(input)[0], each),
  ) as Template<Input, Output | Output[] | undefined>
}

/** The values that `some` wrote, as an array. */
export function many<Item>(items: Item | Item[] | undefined): readonly Item[] {
  if (items === undefined) return []
  return Array.isArray(items) ? items : [items]
}

/** A link to another object. */
export function linkTo<const Type extends string, Input, Uri extends string | undefined>(
  type: Type,
  uri: Template<Input, Uri>,
) {
  return wrapped((uri) => ({ '@id': uri as string, '@type': type }), uri)
}

/** An instant, always in UTC (implementation guidelines, date and time). */
export function dateTime<Input>(get: (input: Input) => string): Template<Input, DateTime> {
  return wrapped(
    (value): DateTime => ({ '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': value }),
    text((input) => utcOf(get(input))),
  )
}

/** A number as `xsd:double`. Without the type, a whole number would be an integer. */
export function double<Input>(get: (input: Input) => number | undefined): Template<Input, Double | undefined> {
  return wrapped(
    (value): Double => ({ '@type': 'http://www.w3.org/2001/XMLSchema#double', '@value': value }),
    plain((input) => {
      const number = get(input)
      return number === undefined ? undefined : digits(number)
    }),
  )
}
