import type { Context } from '../../kernel/context.ts'
import { type Remark, remark } from '../../kernel/finding.ts'
import { sha256 } from '../../kernel/id.ts'
import { profileNamed } from '../../kernel/profile.ts'
import { type Representation, type Target, textOf } from '../../kernel/projection.ts'
import type { Timeline } from '../../kernel/timeline.ts'
import { type RequestedFormat, versionOfFormat } from './formats.ts'
import { protocolMessages } from './messages/protocol.ts'
import { type LoadedTimeline, remarksOn } from './read.ts'
import { findVisible, readVisible } from './visible.ts'

/**
 * Prepares the version of a timeline in a format. The version changes with every event, with the view of the caller, and
 * with the format itself.
 */
export function versionOf(context: Context, value: string, requested: RequestedFormat): () => Promise<string> {
  const format = versionOfFormat(requested)
  let known = { fact: '', hash: '' }
  return async () => {
    const { stream, view } = await findVisible(context, value)
    // Uses the id of the last event, because a restored store reuses revisions.
    const fact = `${stream} ${(await context.store.last(stream))?.id} ${view}`
    if (fact !== known.fact) known = { fact, hash: sha256(fact).slice(0, 24) }
    return `${known.hash}-${format}`
  }
}

/** The target of a timeline's document, with the timeline's name. */
export function targetOf({ target }: RequestedFormat, { name }: Pick<LoadedTimeline, 'name'>): Target {
  return { ...target, timeline: name }
}

/** The answer for a timeline, without the name of its format. */
export function answerOf(context: Context, read: LoadedTimeline, requested: RequestedFormat) {
  const warnings = warningsOf(context, read.timeline)
  return {
    result: true,
    data: requested.projection.project(read.timeline, targetOf(requested, read)),
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
  const read = await readVisible(context, value)
  const { projection } = requested
  if (representation?.write !== undefined)
    return [await textOf(projection, representation, read.timeline, targetOf(requested, read))]
  const document = projection.pieces(read.timeline, targetOf(requested, read))
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
