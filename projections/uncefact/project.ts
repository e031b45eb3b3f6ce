import type { Target, Timeline } from '../../engine/index.ts'
import { documents, either, within } from '../shared/template/index.ts'
import { type MessageInput, message, messageInput } from './message.ts'
import type { Uncefact } from './schema.ts'
import { eventAt, type VocabularyInput, vocabulary, vocabularyInput } from './vocabulary.ts'

/** The input of either form. */
interface ReportInput {
  readonly report?: MessageInput
  readonly consignment?: VocabularyInput
}

/** The timeline in the requested form. */
export const { project, steps, write, pieces } = documents(
  reportInput,
  either(
    ({ report }) => report !== undefined,
    within(({ report }: ReportInput) => report as MessageInput, message),
    within(({ consignment }: ReportInput) => consignment as VocabularyInput, vocabulary),
  ),
)

function reportInput(timeline: Timeline, target: Target): ReportInput {
  if (target.options.dialect === 'message') return { report: messageInput(timeline, target) }
  return { consignment: vocabularyInput(timeline, target) }
}

/** The event with this `id`; a message has no links. */
export function uncefactResource(doc: Uncefact, path: string): object | undefined {
  return 'transportEvent' in doc ? eventAt(doc, path) : undefined
}
