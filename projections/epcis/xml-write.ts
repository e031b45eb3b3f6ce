import { isObject } from '../../engine/index.ts'
import { writeXml, type XmlElement, xmlPieces } from '../shared/xml.ts'
import { type Destination, type EpcisDocument, type ErrorDeclaration, eventsOf, type ObjectEvent } from './document.ts'
import { isOwnName, ownPrefixes } from './extension.ts'

type Child = XmlElement | undefined

/** The document in the XML binding (EPCIS 2.0, XML bindings), with CBV's words as URNs. */
export function toXml(doc: EpcisDocument): string {
  return writeXml(documentWith(doc, eventsOf(doc).map(objectEvent)))
}

/** The same in pieces: the document without its events, and its events as they come. */
export function toXmlPieces(doc: EpcisDocument, events: Iterable<ObjectEvent>): Generator<string> {
  function* elements() {
    for (const event of events) yield objectEvent(event)
  }
  return xmlPieces(documentWith(doc, []), 'EventList', elements())
}

function documentWith(doc: EpcisDocument, events: readonly XmlElement[]): XmlElement {
  const eventList = element('EventList', events)
  if (doc.type === 'EPCISDocument') return root(doc, 'epcis:EPCISDocument', 'epcis', eventList)
  const { queryName } = doc.epcisBody.queryResults
  const results = [leaf('queryName', queryName), element('resultsBody', [eventList])]
  return root(doc, 'epcisq:EPCISQueryDocument', 'epcis-query', element('epcisq:QueryResults', results))
}

function root(doc: EpcisDocument, name: string, schema: 'epcis' | 'epcis-query', content: XmlElement): XmlElement {
  return {
    name,
    attributes: {
      [`xmlns:${name.slice(0, name.indexOf(':'))}`]: `urn:epcglobal:${schema}:xsd:2`,
      ...Object.fromEntries(Object.entries(ownPrefixes).map(([prefix, namespace]) => [`xmlns:${prefix}`, namespace])),
      schemaVersion: doc.schemaVersion,
      creationDate: doc.creationDate,
    },
    children: [element('EPCISBody', [content])],
  }
}

/** An event in XML. The schema fixes the order; extensions of other namespaces come last. */
export function objectEvent(event: ObjectEvent): XmlElement {
  const { errorDeclaration, bizStep, disposition, readPoint, bizLocation, bizTransactionList, destinationList } = event
  return element('ObjectEvent', [
    leaf('eventTime', event.eventTime),
    leaf('recordTime', event.recordTime),
    leaf('eventTimeZoneOffset', event.eventTimeZoneOffset),
    leaf('eventID', event.eventID),
    errorDeclaration && declaration(errorDeclaration),
    element(
      'epcList',
      event.epcList.map((epc) => leaf('epc', epc)),
    ),
    leaf('action', event.action),
    bizStep === undefined ? undefined : leaf('bizStep', word('bizstep', bizStep)),
    disposition === undefined ? undefined : leaf('disposition', word('disp', disposition)),
    readPoint && element('readPoint', [leaf('id', readPoint.id)]),
    bizLocation && element('bizLocation', [leaf('id', bizLocation.id)]),
    bizTransactionList && element('bizTransactionList', bizTransactionList.map(transaction)),
    destinationList && element('destinationList', destinationList.map(destination)),
    ...extension(event),
  ])
}

/** A word of CBV as a URN; a URI of another vocabulary is unchanged. */
function word(kind: string, text: string): string {
  return text.includes(':') ? text : `urn:epcglobal:cbv:${kind}:${text}`
}

function declaration(declared: ErrorDeclaration): XmlElement {
  const { declarationTime, reason, correctiveEventIDs: ids } = declared
  return element('errorDeclaration', [
    leaf('declarationTime', declarationTime),
    reason && leaf('reason', `urn:epcglobal:cbv:er:${reason}`),
    ids &&
      element(
        'correctiveEventIDs',
        ids.map((id) => leaf('correctiveEventID', id)),
      ),
    ...extension(declared),
  ])
}

function transaction({ type, bizTransaction }: { readonly type: string; readonly bizTransaction: string }): XmlElement {
  return { ...leaf('bizTransaction', bizTransaction), attributes: { type: `urn:epcglobal:cbv:btt:${type}` } }
}

function destination({ type, destination }: Destination): XmlElement {
  return { ...leaf('destination', destination), attributes: { type: `urn:epcglobal:cbv:sdt:${type}` } }
}

/** OTEP's own members as elements; a list becomes repeated elements, and an empty list one empty element. */
function extension(members: object): readonly XmlElement[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (!isOwnName(name)) return []
    if (!Array.isArray(value)) return [own(name, value)]
    return value.length === 0 ? [element(name, [])] : value.map((item) => own(name, item))
  })
}

function own(name: string, value: unknown): XmlElement {
  return isObject(value) ? element(name, extension(value)) : leaf(name, String(value))
}

function element(name: string, children: readonly Child[]): XmlElement {
  return { name, children: children.filter((child) => child !== undefined) }
}

function leaf(name: string, text: string): XmlElement {
  return { name, children: [text] }
}
