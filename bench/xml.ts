import { XMLParser } from 'fast-xml-parser'
import { atOnce, type Target } from '../engine/index.ts'
import { readEpcisXml } from '../projections/epcis/parse/xml-read.ts'
import { projections } from '../projections/index.ts'
import { longTimeline } from './formats/samples.ts'
import { type Case, measured, type Topic } from './harness.ts'

/** Events of a document, and how often a run reads it. */
const counts = { events: 1_000, passes: 4 }

const target: Target = { baseUrl: 'https://otep.example', options: {} }
const reference = 'fast-xml-parser alone'

/** EPCIS in XML, from the text to events. */
export const xml: Topic = {
  name: 'xml',
  summary: 'EPCIS documents in XML, from the text to events',
  unit: 'event',
  prepare: async ({ scale, progress }) => {
    progress('preparing documents')
    const length = Math.max(20, Math.round(counts.events * scale))
    const documents: readonly (readonly [string, string])[] = [
      ['of another maker', foreignDocument(length)],
      ['of our own', await ownDocument(length)],
    ]
    const sizes = documents.map(([name, text]) => `${Math.round(Buffer.byteLength(text) / length)} bytes ${name}`)
    return {
      cases: documents.flatMap(([name, text]) => casesOf(name, text, length)),
      notes: [
        `One document of ${length} events: an event has ${sizes.join(', ')}. "EPCIS events" are the events of the document as JSON has ` +
          `them, "readings" the native events that come of them, after all is checked. "${reference}" makes plain objects, nothing more.`,
      ],
      close: async () => {},
    }
  },
}

function casesOf(name: string, text: string, length: number): readonly Case[] {
  const parser = new XMLParser({ ignoreAttributes: false })
  const epcis = epcisFormat()
  const run = (read: (text: string) => unknown) => () =>
    measured(length * counts.passes, () => {
      for (let pass = 0; pass < counts.passes; pass++) if (!read(text)) throw new Error('Nothing was read.')
    })
  const against = `${reference}, ${name}`
  return [
    { name: against, run: run((document) => parser.parse(document)) },
    { name: `to EPCIS events, ${name}`, reference: against, run: run((document) => atOnce(readEpcisXml(document))) },
    { name: `to readings, ${name}`, reference: against, run: run((document) => epcis.parse?.(document, target)) },
  ]
}

function epcisFormat() {
  const found = projections.find(({ name }) => name === 'epcis')
  if (found === undefined) throw new Error('There is no EPCIS.')
  return found
}

async function ownDocument(length: number): Promise<string> {
  const { project, representations } = epcisFormat()
  const form = representations.find(({ mediaType }) => mediaType === 'application/xml')
  const written = await form?.write?.(project(await longTimeline(length), target))
  if (typeof written !== 'string') throw new Error('EPCIS is not written in XML.')
  return written
}

/** A document as a warehouse would send it, indented. */
function foreignDocument(length: number): string {
  const events = Array.from({ length }, (_, index) => foreignEvent(index))
  return `<?xml version="1.0" encoding="UTF-8"?>
<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2" xmlns:example="https://ns.example/epcis/" schemaVersion="2.0" creationDate="2026-06-10T14:00:00Z">
  <EPCISBody>
    <EventList>${events.join('')}
    </EventList>
  </EPCISBody>
</epcis:EPCISDocument>
`
}

function foreignEvent(index: number): string {
  return `
      <ObjectEvent>
        <eventTime>2026-06-10T13:${String(index % 60).padStart(2, '0')}:00.000Z</eventTime>
        <eventTimeZoneOffset>-04:00</eventTimeZoneOffset>
        <eventID>urn:uuid:374d95fc-9457-4a51-bd6a-${String(index).padStart(12, '0')}</eventID>
        <epcList>
          <epc>urn:epc:id:sscc:0614141.1${String(index).padStart(9, '0')}</epc>
        </epcList>
        <action>OBSERVE</action>
        <bizStep>urn:epcglobal:cbv:bizstep:departing</bizStep>
        <disposition>urn:epcglobal:cbv:disp:in_transit</disposition>
        <readPoint>
          <id>urn:epc:id:sgln:4012345.00001.0</id>
        </readPoint>
        <bizLocation>
          <id>urn:epc:id:sgln:4012345.00001.0</id>
        </bizLocation>
        <bizTransactionList>
          <bizTransaction type="urn:epcglobal:cbv:btt:po">https://orders.example/${index}</bizTransaction>
        </bizTransactionList>
        <example:note>Loaded at dock ${index % 20} &amp; sealed</example:note>
      </ObjectEvent>`
}
