import { many } from './names.ts'
import { context } from './project.ts'
import type { Collection, LogisticsEvent, LogisticsObject } from './schema.ts'

/** A part of a document that has its own address. */
export type Addressed = LogisticsObject | LogisticsEvent

/** All events of a document, in order of occurrence. */
export function eventsIn(document: Collection): readonly LogisticsEvent[] {
  return many(document['api:hasItem'])
}

/** All logistics objects of a document, the piece first. */
export function objectsIn(document: Collection): readonly LogisticsObject[] {
  return many(document['@included'])
}

/** A part of a document as a document. */
export function standalone<Part extends object>(part: Part): Part & { readonly '@context': typeof context } {
  return { '@context': context, ...part }
}
