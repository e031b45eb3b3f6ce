import type { Context } from '../../kernel/context.ts'
import { type Remark, remark } from '../../kernel/finding.ts'
import { sha256 } from '../../kernel/id.ts'
import { profileNamed } from '../../kernel/profile.ts'
import { type Representation, type Target, textOf } from '../../kernel/projection.ts'
import type { Timeline } from '../../kernel/timeline.ts'
import { type RequestedFormat, versionOfFormat } from './formats.ts'
import { timelineName } from './identifiers.ts'
import { protocolMessages } from './messages/protocol.ts'
import { findStream, type LoadedTimeline, readTimeline, remarksOn } from './read.ts'
import { visibleSources } from './sources.ts'

/** Prepares the version of a timeline in a format. The version changes with every event, and with the format itself. */
export function versionOf(
  { store, models }: Pick<Context, 'store' | 'models'>,
  value: string,
  requested: RequestedFormat,
): () => Promise<string> {
  const format = versionOfFormat(requested)
  let known = { fact: '', hash: '' }
  return async () => {
    const stream = await findStream({ store, models }, value)
    // Uses the id of the last event, because a restored store reuses revisions.
    const fact = `${stream} ${(await store.last(stream))?.id}`
    if (fact !== known.fact) known = { fact, hash: sha256(fact).slice(0, 24) }
    return `${known.hash}-${format}`
  }
}

/** The target of a timeline's document, with the timeline's unique name. */
export function targetOf({ target }: RequestedFormat, { stream }: LoadedTimeline): Target {
  return { ...target, timeline: timelineName(stream) }
}

/** The same target, with the source events that the caller may see, if the document contains some. */
async function targetFor(context: Context, requested: RequestedFormat, read: LoadedTimeline): Promise<Target> {
  const target = targetOf(requested, read)
  if (requested.projection.wantsSources?.(target.options) !== true) return target
  return { ...target, sourcesOf: await visibleSources(context, read.timeline) }
}

/** The answer for a timeline, without the name of its format. */
export async function answerOf(context: Context, read: LoadedTimeline, requested: RequestedFormat) {
  const warnings = warningsOf(context, read.timeline)
  return {
    result: true,
    data: requested.projection.project(read.timeline, await targetFor(context, requested, read)),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** Always in English: an answer with an entity tag has one wording for all callers. */
function warningsOf({ profiles }: Context, timeline: Timeline): readonly Remark[] {
  return remarksOn(timeline, profileNamed(profiles, timeline.profile)).map((finding) =>
    remark(finding, protocolMessages.en),
  )
}

/** A timeline as chunks of text: the bare document in a representation of its format, or the JSON answer around it. */
export async function textOfTimeline(
  context: Context,
  value: string,
  requested: RequestedFormat,
  representation: Representation | undefined,
): Promise<Iterable<string>> {
  const read = await readTimeline(context, await findStream(context, value))
  const { projection } = requested
  const target = await targetFor(context, requested, read)
  if (representation?.write !== undefined) return [await textOf(projection, representation, read.timeline, target)]
  const document = projection.pieces(read.timeline, target)
  return representation === undefined
    ? enveloped(document, projection.name, warningsOf(context, read.timeline))
    : document
}

/** The JSON answer around a document, equal to the one of `answerOf`. */
function* enveloped(document: Iterable<string>, format: string, warnings: readonly Remark[]): Iterable<string> {
  yield `{"result":true,"format":${JSON.stringify(format)},"data":`
  yield* document
  yield warnings.length === 0 ? '}' : `,"warnings":${JSON.stringify(warnings)}}`
}
