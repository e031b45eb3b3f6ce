import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Finding, type Remark, remark } from '../../kernel/finding.ts'
import { sha256 } from '../../kernel/id.ts'
import type { AnswerVersion } from '../../kernel/operation.ts'
import { isTerminal, profileNamed } from '../../kernel/profile.ts'
import {
  mediaTypeOf,
  type Projection,
  projectInSteps,
  type Representation,
  representationsOf,
  type Target,
} from '../../kernel/projection.ts'
import { inSteps, mapInSteps, visitInSteps } from '../../kernel/steps.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import { decidingStreams } from './find.ts'
import { type RequestedFormat, versionOfFormat } from './formats.ts'
import { publicKinds } from './identifiers.ts'
import { containersVersion } from './joined-version.ts'
import { protocolMessages } from './messages/protocol.ts'
import { type LoadedTimeline, remarksOn } from './read.ts'
import { visibleSources } from './sources.ts'
import { createJudgement } from './split/contradiction.ts'
import { remarkOn } from './split/remark.ts'
import { findVisible, type View } from './visible.ts'

/**
 * Prepares the version of a timeline in a format, or of a `part` of it. The version changes with every event, with the view
 * of the caller, and with the format itself.
 */
export function versionOf(
  value: string,
  requested: RequestedFormat,
  part = '',
): (context: Context) => Promise<AnswerVersion> {
  const format = `${versionOfFormat(requested)}${part}`
  // The sources of a timeline may be erased without a change of the timeline, so the document is never the same for sure.
  if (requested.projection.wantsSources?.(requested.target.options) === true)
    return async ({ randomId }) => ({ text: `${randomId()}-${format}` })
  const deciding = decidingStreams(value, publicKinds)
  let known: { readonly fact: string; readonly version: AnswerVersion } = { fact: '', version: { text: '' } }
  return async (context) => {
    const { stream, view, passedOver } = await findVisible(context, value)
    // Uses the id of the last event, because a restored store reuses revisions.
    const last = (await context.store.last(stream))?.id
    const containers = await containersVersion(context, stream, last)
    const fact = `${stream} ${last} ${view}${containers}${passedOver ? ' passed over' : ''}`
    if (fact === known.fact) return known.version
    const isAlone =
      containers === '' && !passedOver && context.pass === undefined && context.caller.kind === 'anonymous'
    const streams = isAlone && deciding !== undefined ? [...deciding, stream] : undefined
    known = { fact, version: { text: `${sha256(fact).slice(0, 24)}-${format}`, streams } }
    return known.version
  }
}

/** The target of a timeline's document, with the timeline's name. */
export function targetOf({ target }: RequestedFormat, { name }: Pick<LoadedTimeline, 'name'>): Target {
  return { ...target, timeline: name }
}

/** The same target, with the source events that the caller may see, if the document contains some. */
export async function targetFor(context: Context, requested: RequestedFormat, read: LoadedTimeline): Promise<Target> {
  const target = targetOf(requested, read)
  if (requested.projection.wantsSources?.(target.options) !== true) return target
  return { ...target, sourcesOf: await visibleSources(context, read.timeline) }
}

/** A timeline for a document. A format that does not mark inherited events gets none that would end the thing. */
export function timelineIn(
  { projection: { keepsInherited } }: Pick<RequestedFormat, 'projection'>,
  { timeline }: Pick<LoadedTimeline, 'timeline'>,
  { profiles }: Pick<Context, 'profiles'>,
): Timeline {
  const profile = profileNamed(profiles, timeline.profile)
  const ends = ({ inherited_from, status_code }: TimelineEvent) =>
    inherited_from !== undefined && isTerminal(profile, status_code)
  if (keepsInherited === true || !timeline.events.some(ends)) return timeline
  return { ...timeline, events: timeline.events.filter((event) => !ends(event)) }
}

/** A timeline that was read as a document of a format, with the target of its links. */
export async function projectedFor<Doc = unknown>(
  context: Context,
  read: LoadedTimeline,
  requested: RequestedFormat,
): Promise<{ readonly document: Doc; readonly target: Target }> {
  const target = targetOf(requested, read)
  const timeline = timelineIn(requested, read, context)
  return { target, document: (await projectInSteps(requested.projection, timeline, target, context.pause)) as Doc }
}

/** A timeline that was read, and how much of it its caller sees. */
type Seen = LoadedTimeline & { readonly view?: View }

/** The answer for a timeline, without the name of its format. */
export async function answerOf(context: Context, read: Seen, requested: RequestedFormat) {
  const warnings = await warningsOf(context, read)
  const { projection } = requested
  const target = await targetFor(context, requested, read)
  return {
    result: true,
    data: await projectInSteps(projection, timelineIn(requested, read, context), target, context.pause),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** The remarks on a timeline. Only those who see the providers read that two of them contradict each other. */
async function warningsOf({ profiles, pause }: Context, { timeline, view }: Seen): Promise<readonly Remark[]> {
  const profile = profileNamed(profiles, timeline.profile)
  const remarks = await inSteps(remarksOn(timeline, profile), pause)
  const told = await inSteps(mapInSteps(remarks, inEnglish), pause)
  if (view === undefined || view === 'reduced') return told
  const judgement = createJudgement(profile)
  await inSteps(visitInSteps(timeline.events, judgement.next), pause)
  return [...told, ...judgement.found().map(remarkOn).map(inEnglish)]
}

/** Always in English: an answer with an entity tag has one wording for all callers. */
export function inEnglish(finding: Finding): Remark {
  return remark(finding, protocolMessages.value)
}

/** A timeline as pieces of text: the bare document in a representation of its format, or the JSON answer around it. */
export async function textOfRead(
  context: Context,
  read: Seen,
  requested: RequestedFormat,
  representation: Representation | undefined,
): Promise<Iterable<string>> {
  const timeline = timelineIn(requested, read, context)
  const { projection } = requested
  const target = await targetFor(context, requested, read)
  refuseTooLong(timeline.events.length, projection, representation)
  if (representation?.pieces !== undefined) return representation.pieces(timeline, target)
  if (representation?.write !== undefined)
    return [await representation.write(await projectInSteps(projection, timeline, target, context.pause))]
  const document = projection.pieces(timeline, target)
  return representation === undefined ? enveloped(document, projection.name, await warningsOf(context, read)) : document
}

/** Refuses a representation that is not offered for so many events. */
export function refuseTooLong(
  events: number,
  projection: Projection,
  representation: Representation | undefined,
): void {
  const fits = ({ maxEvents = Number.POSITIVE_INFINITY }: Representation) => events <= maxEvents
  if (representation === undefined || fits(representation)) return
  const offered = representationsOf(projection).filter(fits)
  const expected = offered.map((one) => mediaTypeOf(projection, one)).join(', ')
  throw new EngineError('not_acceptable', { expected })
}

/** The JSON answer around a document, equal to the one of `answerOf`. */
function* enveloped(document: Iterable<string>, format: string, warnings: readonly Remark[]): Iterable<string> {
  yield envelopeStart(format)
  yield* document
  yield* envelopeEnd(warnings)
}

/** The JSON answer before its document. */
export function envelopeStart(format: string): string {
  return `{"result":true,"format":${JSON.stringify(format)},"data":`
}

/** The JSON answer after its document. */
export function* envelopeEnd(warnings: Iterable<Remark>): Iterable<string> {
  let before = ',"warnings":['
  for (const one of warnings) {
    yield before + JSON.stringify(one)
    before = ','
  }
  yield before === ',' ? ']}' : '}'
}
