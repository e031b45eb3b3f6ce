import {
  instantOf,
  isAfter,
  mapInSteps,
  type Representation,
  sortInSteps,
  type Target,
  type TimelineEvent,
  type TimelinePart,
  visitInSteps,
} from '../../engine/index.ts'
import { inEmptyPieces, piecesFrom, streamedList } from '../shared/template/index.ts'
import type { EventInput } from './event-input.ts'
import { type DocumentInput, documentInput, eventInputs } from './inputs.ts'
import { formOf, type Head, objectEvent, objectEvents, wantsSources } from './project.ts'
import { type WholeEvent, wholeJsonInSteps, wholeXmlPieces } from './whole.ts'
import { toXmlPieces } from './xml-write.ts'

/** An event, and the document of its own timeline. */
interface Placed {
  readonly event: TimelineEvent
  readonly of: DocumentInput
}

/** The events of many timelines, in order of occurrence. */
interface JoinedInput extends Head {
  readonly placed: readonly Placed[]
}

const document = formOf(streamedList(eachInput, objectEvent))
const jsonPieces = piecesFrom(document)

function* eachInput({ placed }: JoinedInput): Generator<EventInput> {
  for (const { event, of } of placed) yield* eventInputs({ ...of, events: [event] })
}

/** One document of many timelines, in JSON or in XML. */
export function* joined(
  parts: readonly TimelinePart[],
  target: Target,
  { mediaType }: Representation,
): Generator<string> {
  const isXml = mediaType === 'application/xml'
  const input = yield* inEmptyPieces(joinedInput(parts, target))
  if (wantsSources(target.options)) {
    const events = yield* inEmptyPieces(sourcesOnce(input))
    const form = { as: 'query', creationDate: input.creationDate } as const
    if (isXml) yield* wholeXmlPieces(events, form)
    else yield JSON.stringify(yield* inEmptyPieces(wholeJsonInSteps(events, form)))
    return
  }
  if (isXml) yield* toXmlPieces(document.make({ ...input, placed: [] }), joinedEvents(input))
  else yield* jsonPieces(input)
}

function* joinedEvents(input: JoinedInput) {
  for (const one of eachInput(input)) yield objectEvent.make(one)
}

/** The events of a timeline that occurred at the same time keep their order; those of earlier parts come first. */
function* joinedInput(parts: readonly TimelinePart[], target: Target): Generator<void, JoinedInput> {
  let creationDate = '1970-01-01T00:00:00Z'
  const dated: (Placed & { readonly at: number })[] = []
  for (const part of parts) {
    const of = yield* documentInput(part.timeline, part.target)
    if (isAfter(of.creationDate, creationDate)) creationDate = of.creationDate
    const events = yield* mapInSteps(of.events, (event) => ({ event, of, at: instantOf(event.occurred_at) }))
    for (const one of events) dated.push(one)
  }
  return { target, creationDate, placed: yield* sortInSteps(dated, (one, other) => one.at - other.at) }
}

/** The events as they came; one that is in several timelines is there once. */
function* sourcesOnce({ placed }: JoinedInput): Generator<void, readonly WholeEvent[]> {
  const found: WholeEvent[] = []
  const known = new Set<string>()
  yield* visitInSteps(placed, ({ event, of }) => {
    const kept = of.target.sourcesOf?.(event) ?? []
    if (kept.length === 0) found.push(...objectEvents({ ...of, events: [event] }))
    for (const one of kept) {
      const text = JSON.stringify([one.binding, one.context, one.body])
      if (!known.has(text)) found.push(one)
      known.add(text)
    }
  })
  return found
}
