/// <reference path="./epcis2.d.ts" />
import type Epcis2 from 'epcis2.js'
import { type Batch, repeat, runOf, writingOf } from '../../adapters/cli/bench/writing.ts'
import { isObject } from '../../engine/index.ts'
import { epcis } from '../../projections/epcis/index.ts'
import { type Case, measured, type Settings } from '../harness.ts'

type Peer = typeof Epcis2
type Members = Readonly<Record<string, unknown>>

/** The same events, built with the classes of epcis2.js and written by its document. */
export function epcisPeers(batch: Batch, peer: Settings['peer']): readonly Case[] {
  const epcis2 = peer<Peer>('epcis2.js')
  if (epcis2 === undefined) return []
  const documents = batch.timelines.map((timeline) => epcis.project(timeline, batch.target) as unknown as Members)
  const run = runOf(batch, documents, (document) => Buffer.from(textOf(epcis2, document)))
  const withIds = (document: Members) => Buffer.from(textOf(epcis2, document, true))
  return [
    { name: `epcis2.js, ${batch.name}`, reference: writingOf(batch), run },
    { name: `epcis2.js makes ids, ${batch.name}`, reference: writingOf(batch), run: runOf(batch, documents, withIds) },
  ]
}

/** The ids of the events of a document. */
export function idsOf(document: object): readonly string[] {
  return eventsIn(document as Members).map(({ eventID }) => String(eventID))
}

/** A peer that computes ids of events, and how many of its ids match those of our documents. */
interface HashPeer {
  readonly case: Case
  readonly compared: number
  readonly equal: number
}

/** The ids that epcis2.js computes for the events of our documents. */
export function hashPeer(documents: readonly object[], peer: Settings['peer']): HashPeer | undefined {
  const epcis2 = peer<Peer>('epcis2.js')
  if (epcis2 === undefined) return undefined
  const texts = documents.map((document) => JSON.stringify(document))
  // It modifies its argument, so each run gets its own objects.
  const plans = () =>
    texts
      .map((text) => JSON.parse(text) as Members)
      .flatMap((document) => eventsIn(document).map((event) => ({ event, context: ownContextOf(document) })))
  const idOf = ({ event, context }: ReturnType<typeof plans>[number]) => epcis2.eventToHashedId(event, context)
  const compared = plans()
  const equal = compared.filter((plan) => plan.event.eventID === idOf(plan)).length
  const run = () => {
    const fresh = plans()
    return measured(fresh.length, () => repeat(1, fresh, idOf))
  }
  return { case: { name: 'epcis2.js, eventToHashedId', run }, compared: compared.length, equal }
}

/** The prefixes of our own members; epcis2.js knows that of the standard. */
function ownContextOf(document: Members): object {
  return (document['@context'] as readonly object[])[1] ?? {}
}

function textOf(epcis2: Peer, document: Members, makesIds = false): string {
  const made = new epcis2.EPCISDocument()
  made.setContext(document['@context']).setCreationDate(String(document.creationDate))
  const context = ownContextOf(document)
  for (const members of eventsIn(document)) {
    const event = eventOf(epcis2, members)
    if (makesIds) event.setEventID(epcis2.eventToHashedId(event.toObject(), context))
    made.addEvent(event)
  }
  return made.toString()
}

function eventOf({ BizTransactionElement, ObjectEvent }: Peer, members: Members) {
  const event = new ObjectEvent()
  const { eventID, eventTime, eventTimeZoneOffset, recordTime, action, epcList, bizStep, disposition } = members
  event.setEventID(String(eventID)).setEventTime(String(eventTime)).setEventTimeZoneOffset(String(eventTimeZoneOffset))
  event.setRecordTime(String(recordTime)).setAction(String(action)).setBizStep(String(bizStep))
  event.addEPCList(epcList as string[])
  if (disposition !== undefined) event.setDisposition(String(disposition))
  const { readPoint, bizLocation, bizTransactionList = [] } = members
  if (isObject(readPoint)) event.setReadPoint(String(readPoint.id))
  if (isObject(bizLocation)) event.setBizLocation(String(bizLocation.id))
  for (const { type, bizTransaction } of bizTransactionList as Readonly<Record<string, string>>[]) {
    event.addBizTransaction(new BizTransactionElement({ type, bizTransaction }))
  }
  for (const name in members) if (name.includes(':')) event.addExtension(name, members[name])
  return event
}

/** The events of one of our documents, a query's response or a capture. */
function eventsIn({ epcisBody }: Members): readonly Members[] {
  const { eventList, queryResults } = epcisBody as Readonly<Record<string, Members>>
  const results = (queryResults?.resultsBody as Members | undefined)?.eventList
  return (eventList ?? results) as unknown as readonly Members[]
}
