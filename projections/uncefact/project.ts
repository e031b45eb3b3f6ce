import type { Target, Timeline } from '../../engine/index.ts'
import { documents, either, within } from '../shared/template/index.ts'
import { type MessageGiven, message, messageGiven } from './message.ts'
import type { Uncefact } from './schema.ts'
import { eventAt, type VocabularyGiven, vocabulary, vocabularyGiven } from './vocabulary.ts'

/** What either form is filled with. */
interface Given {
  readonly report?: MessageGiven
  readonly consignment?: VocabularyGiven
}

/** The timeline in the form that the options ask for. */
export const { project, write, pieces } = documents(
  givenOf,
  either(
    ({ report }) => report !== undefined,
    within(({ report }: Given) => report as MessageGiven, message),
    within(({ consignment }: Given) => consignment as VocabularyGiven, vocabulary),
  ),
)

function givenOf(timeline: Timeline, target: Target): Given {
  if (target.options.dialect === 'message') return { report: messageGiven(timeline) }
  return { consignment: vocabularyGiven(timeline, target) }
}

/** The event that its `id` leads to; a message has no links. */
export function uncefactResource(doc: Uncefact, path: string): object | undefined {
  return 'transportEvent' in doc ? eventAt(doc, path) : undefined
}
