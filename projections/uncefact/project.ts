import type { Target, Timeline } from '../../engine/index.ts'
import { messageOf } from './message.ts'
import type { Uncefact } from './schema.ts'
import { eventAt, vocabularyOf } from './vocabulary.ts'

/** The timeline in the form that the options ask for. */
export function projectUncefact(timeline: Timeline, target: Target): Uncefact {
  return target.options.dialect === 'message' ? messageOf(timeline) : vocabularyOf(timeline, target)
}

/** The event that its `id` leads to; a message has no links. */
export function uncefactResource(doc: Uncefact, path: string): object | undefined {
  return 'transportEvent' in doc ? eventAt(doc, path) : undefined
}
