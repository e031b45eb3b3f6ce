import { identifierKinds, type Subject, type TimelineEvent } from '../../engine/index.ts'
import { containerOf } from '../shared/subject.ts'
import { each, someIfAny, type Template, text, wrapped } from '../shared/template/index.ts'
import type { Note } from './vocabulary-schema.ts'

/** The identifiers that the class Consignment has no member for. */
export const subjectNotes = someIfAny<Subject, Note | undefined>(
  ...identifierKinds
    .filter((kind) => kind !== 'tracking_number' && kind !== 'gs1_sscc')
    .map((kind) => note(kind, (subject: Subject) => subject[kind]?.toString())),
)

/** The members of an event that the class TransportEvent does not have, each under its name in OTEP. */
export const eventNotes = someIfAny<TimelineEvent, Note | undefined>(
  note('incident_reason', ({ incident_reason }) => incident_reason),
  note('source.type', ({ source }) => source?.type),
  note('source.provider', ({ source }) => source?.provider),
  note('source.code', ({ source }) => source?.code),
  note('pod.recipient', ({ pod }) => pod?.recipient),
  note('pod.signed_at', ({ pod }) => pod?.signed_at),
  note('pod.signature_url', ({ pod }) => pod?.signature_url),
  each(
    ({ pod }) => pod?.photo_urls,
    note('pod.photo_urls', (url: string) => url),
  ),
  note('pod.note', ({ pod }) => pod?.note),
  note('synthesized', ({ synthesized }) => (synthesized === true ? 'true' : undefined)),
  note('inherited_from', containerOf),
)

function note<Input>(subject: string, get: (input: Input) => string | undefined): Template<Input, Note | undefined> {
  return wrapped((content): Note => ({ type: 'Note', subject, content }), text(get))
}
