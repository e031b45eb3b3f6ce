import { XmlDocument, XmlElement, XmlStringOutputBufferHandler } from 'libxml2-wasm'
import { canonicalizeSubtree, XmlC14NMode } from 'libxml2-wasm/lib/c14n.mjs'

/**
 * The events of an XML document in canonical form (Exclusive XML Canonicalization 1.0), without their `recordTime`, which
 * every repository sets; the document may be one event.
 */
export function canonicalEvents(text: string): readonly string[] {
  const document = XmlDocument.fromString(text)
  try {
    const listed = document.find('//EventList/* | //EventList/extension/*')
    return (listed.length === 0 && /Event$/.test(document.root.name) ? [document.root] : listed)
      .filter((node) => node instanceof XmlElement)
      .filter(({ name }) => name !== 'extension')
      .map((node) => {
        const handler = new XmlStringOutputBufferHandler()
        canonicalizeSubtree(handler, document, node, { mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 })
        return handler.result.replace(/\s*<recordTime>[^<]*<\/recordTime>/, '')
      })
  } finally {
    document.dispose()
  }
}

/** A JSON value with its members in order of their names. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  )
}

/** The events of a document in either binding, each in canonical form. */
export function eventsInCanonicalForm(text: string): readonly string[] {
  if (text.startsWith('<')) return canonicalEvents(text)
  const document = JSON.parse(text)
  const { eventList, queryResults } = document.epcisBody ?? { eventList: [document] }
  const events: readonly unknown[] = eventList ?? queryResults?.resultsBody.eventList ?? []
  return events.map((event) => JSON.stringify(sorted(unrecorded(event))))
}

/** An event without its `recordTime`, which every repository sets. */
export function unrecorded<Event>(event: Event): Event {
  const { recordTime: _, ...said } = event as Record<string, unknown>
  return said as Event
}
