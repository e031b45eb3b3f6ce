/** A body that repeats one kind of token of its syntax, as often as there is room for. */
export interface HostileBody {
  readonly path: string
  readonly type: string
  /** The body; what it repeats has about so many characters. */
  textOf(size: number): string
}

const ingest = '/api/v1/otep/ingest'

const sscc = 'urn:epc:id:sscc:0614141.1234567890'

/** THE TABLE of hostile bodies: each kind of token that a parser of this server tells apart. */
export const hostileBodies: Readonly<Record<string, HostileBody>> = {
  'XML: empty elements': inEvent('<x:a/>'),
  'XML: elements with new names': inEvent((index) => `<x:a${index.toString(36)}/>`),
  'XML: elements that declare a namespace': inEvent('<a xmlns="u:x"/>'),
  'XML: elements that declare a new namespace': inEvent((index) => `<a xmlns="u:${index.toString(36)}"/>`),
  'XML: elements that declare 250 namespaces': inEvent(
    `<a${Array.from({ length: 250 }, (_, index) => ` xmlns:b${index}="u:${index}"`).join('')}/>`,
  ),
  'XML: elements with an undeclared prefix': inEvent('<y:a/>'),
  'XML: elements that the schema does not know': inEvent('<a/>'),
  'XML: elements in elements': inEvent(`${'<x:a>'.repeat(50)}${'</x:a>'.repeat(50)}`),
  'XML: attributes': inEvent(`<x:a${Array.from({ length: 250 }, (_, index) => ` b${index}=""`).join('')}/>`),
  'XML: one attribute': inEvent('&lt;', (text) => `<x:a b="${text}"/>`),
  'XML: white space in a tag': inEvent(' ', (text) => `<x:a${text}/>`),
  'XML: one name': inEvent('a', (text) => `<x:${text}/>`),
  'XML: references': inText('&lt;'),
  'XML: brackets': inText(']'),
  'XML: CDATA': inText('<![CDATA[a]]>'),
  'XML: comments': inText('<!---->'),
  'XML: processing instructions': inText('<?a?>'),
  'XML: line ends': inText('\r'),
  'XML: things of an event': xml((size) => objectEvent('', filled('<epc/>', size))),
  'XML: empty events': xml((size) => filled('<ObjectEvent/>', size)),
  'XML: elements in the header': xml(
    () => objectEvent(''),
    (size) => `<EPCISHeader>${filled('<a/>', size)}</EPCISHeader>`,
  ),
  'XML: elements before the events': xml(
    () => objectEvent(''),
    (size) => filled('<a/>', size),
  ),
  'JSON: numbers': json('0'),
  'JSON: texts': json('""'),
  'JSON: lists': json('[]'),
  'JSON: objects': json('{}'),
  'JSON: members': json('{"a":0}'),
  'JSON: one text of escapes': document((size) => `"${filled('\\u0041', size)}"`),
  'JSON: one name': document((size) => `{"${filled('a', size)}":0}`),
  'JSON: white space': document((size) => `[${' '.repeat(size)}]`),
  'JSON: empty events': epcis((size) => listed('{}', size)),
  'NDJSON: line ends': lines('\n'),
  'NDJSON: objects': lines(`{"x":[${listed('{}', 2_000)}]}\n`),
  'NDJSON: no JSON': lines('{\n'),
}

type Item = string | ((index: number) => string)

/** The item, repeated until it has about so many characters. */
function filled(item: Item, size: number): string {
  if (typeof item === 'string') return item.repeat(Math.max(1, Math.floor(size / item.length)))
  const parts: string[] = []
  for (let [index, length] = [0, 0]; length < size; index++) {
    const part = item(index)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

function listed(item: string, size: number): string {
  return filled(`${item},`, size) + item
}

function xml(eventsOf: (size: number) => string, before: (size: number) => string = () => ''): HostileBody {
  const root =
    '<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2" xmlns:x="u:x" schemaVersion="2.0" creationDate="2026-06-10T09:00:00Z">'
  return {
    ...{ path: `${ingest}/epcis`, type: 'application/xml' },
    textOf: (size) =>
      `${root}${before(size)}<EPCISBody><EventList>${eventsOf(size)}</EventList></EPCISBody></epcis:EPCISDocument>`,
  }
}

function objectEvent(inside: string, things = `<epc>${sscc}</epc>`): string {
  return `<ObjectEvent><eventTime>2026-06-10T09:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList>${things}</epcList><action>OBSERVE</action>${inside}</ObjectEvent>`
}

function inEvent(item: Item, around: (text: string) => string = (text) => text): HostileBody {
  return xml((size) => objectEvent(around(filled(item, size))))
}

function inText(item: string): HostileBody {
  return inEvent(item, (text) => `<x:a>${text}</x:a>`)
}

function epcis(eventsOf: (size: number) => string): HostileBody {
  const context = '["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{"x":"u:x/"}]'
  return {
    ...{ path: `${ingest}/epcis`, type: 'application/ld+json' },
    textOf: (size) =>
      `{"@context":${context},"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-06-10T09:00:00Z","epcisBody":{"eventList":[${eventsOf(size)}]}}`,
  }
}

/** A document with one event, which has one more member. */
function document(member: (size: number) => string): HostileBody {
  return epcis(
    (size) =>
      `{"type":"ObjectEvent","eventTime":"2026-06-10T09:00:00Z","eventTimeZoneOffset":"+00:00","epcList":["${sscc}"],"action":"OBSERVE","x:a":${member(size)}}`,
  )
}

function json(item: string): HostileBody {
  return document((size) => `[${listed(item, size)}]`)
}

function lines(item: string): HostileBody {
  return { path: ingest, type: 'application/x-ndjson', textOf: (size) => filled(item, size) }
}
