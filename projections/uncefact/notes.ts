import { identifiersOf, type Subject, type TimelineEvent } from '../../engine/index.ts'
import type { Note } from './vocabulary-schema.ts'

function note(subject: string, content: string): Note {
  return { type: 'Note', subject, content }
}

/** The identifiers that the class Consignment has no member for. */
export function subjectNotes(subject: Subject): Note[] {
  return identifiersOf(subject)
    .filter(({ kind }) => kind !== 'tracking_number' && kind !== 'gs1_sscc')
    .map(({ kind, value }) => note(kind, value))
}

/** What an event has that the class TransportEvent has no member for, each under its name in OTEP. */
export function eventNotes({ incident_reason, source, pod, synthesized }: TimelineEvent): Note[] {
  const notes: Note[] = []
  const add = (subject: string, content: string | undefined) => {
    if (content !== undefined) notes.push(note(subject, content))
  }
  add('incident_reason', incident_reason)
  if (source !== undefined) {
    add('source.type', source.type)
    add('source.provider', source.provider)
    add('source.code', source.code)
  }
  if (pod !== undefined) {
    add('pod.recipient', pod.recipient)
    add('pod.signed_at', pod.signed_at)
    add('pod.signature_url', pod.signature_url)
    for (const photo of pod.photo_urls ?? []) add('pod.photo_urls', photo)
    add('pod.note', pod.note)
  }
  if (synthesized === true) add('synthesized', 'true')
  return notes
}
