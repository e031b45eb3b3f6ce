/// <reference path="./epcis2.d.ts" />
import epcis2 from 'epcis2.js'
import { isObject } from '../../engine/index.ts'
import { epcis } from '../../projections/epcis/index.ts'
import { type Batch, projectionOf, repeat, unitsOf } from '../formats/cases.ts'
import { type Case, measured } from '../harness.ts'

type Members = Readonly<Record<string, unknown>>

const { BizTransactionElement, EPCISDocument, ObjectEvent, eventToHashedId } = epcis2

/** The same events, made with the classes of epcis2.js: with the ids as they are, and with its event hash. */
export function epcisPeers(batch: Batch): readonly Case[] {
  const documents = batch.timelines.map((timeline) => epcis.project(timeline, batch.target) as unknown as Members)
  const reference = projectionOf(batch)
  const built = (named: boolean) => () =>
    measured(unitsOf(batch), () => repeat(batch.passes, documents, (one) => textOf(one, named)))
  return [
    { name: `epcis2.js, ${batch.name}`, reference, run: built(false) },
    { name: `epcis2.js with event hashes, ${batch.name}`, reference, run: built(true) },
  ]
}

function textOf(document: Members, named: boolean): string {
  const context = document['@context']
  const made = new EPCISDocument()
  made.setContext(context).setCreationDate(String(document.creationDate))
  for (const members of eventsIn(document)) {
    const event = eventOf(members)
    if (named) event.setEventID(eventToHashedId(event.toObject(), context as object))
    made.addEvent(event)
  }
  return made.toString()
}

function eventOf(members: Members) {
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

function eventsIn({ epcisBody }: Members): readonly Members[] {
  const { eventList, queryResults } = epcisBody as Readonly<Record<string, Members>>
  const results = (queryResults?.resultsBody as Members | undefined)?.eventList
  return (eventList ?? results) as unknown as readonly Members[]
}
