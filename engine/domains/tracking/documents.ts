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

/**
 * Prepares to name the state of a timeline in a format, again and again: the name changes with every fact, and with what
 * the format makes of it.
 */
export function versionOf(
  { store, models }: Pick<Context, 'store' | 'models'>,
  value: string,
  wanted: RequestedFormat,
): () => Promise<string> {
  const format = versionOfFormat(wanted)
  let known = { fact: '', hash: '' }
  return async () => {
    const stream = await findStream({ store, models }, value)
    // By the id of its last fact: a restore gives revisions out again.
    const fact = `${stream} ${(await store.last(stream))?.id}`
    if (fact !== known.fact) known = { fact, hash: sha256(fact).slice(0, 24) }
    return `${known.hash}-${format}`
  }
}

/** For whom the document of a timeline is made, by its name among all. */
export function targetOf({ target }: RequestedFormat, { stream }: LoadedTimeline): Target {
  return { ...target, timeline: timelineName(stream) }
}

/** What is answered of a timeline beside its format. */
export function answerOf(context: Context, read: LoadedTimeline, wanted: RequestedFormat) {
  const warnings = warningsOf(context, read.timeline)
  return {
    result: true,
    data: wanted.projection.project(read.timeline, targetOf(wanted, read)),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** In English whatever the caller's language: an answer that is kept under an entity tag has one wording. */
function warningsOf({ profiles }: Context, timeline: Timeline): readonly Remark[] {
  return remarksOn(timeline, profileNamed(profiles, timeline.profile)).map((finding) =>
    remark(finding, protocolMessages.en),
  )
}

/** A timeline as text, in pieces: the bare document in a representation of its format, or else the answer around it. */
export async function textOfTimeline(
  context: Context,
  value: string,
  wanted: RequestedFormat,
  representation: Representation | undefined,
): Promise<Iterable<string>> {
  const read = await readTimeline(context, await findStream(context, value))
  const { projection } = wanted
  if (representation?.write !== undefined)
    return [await textOf(projection, representation, read.timeline, targetOf(wanted, read))]
  const document = projection.pieces(read.timeline, targetOf(wanted, read))
  return representation === undefined
    ? enveloped(document, projection.name, warningsOf(context, read.timeline))
    : document
}

/** The answer around the text of its document, as JSON writes the one of `answerOf`. */
function* enveloped(document: Iterable<string>, format: string, warnings: readonly Remark[]): Iterable<string> {
  yield `{"result":true,"format":${JSON.stringify(format)},"data":`
  yield* document
  yield warnings.length === 0 ? '}' : `,"warnings":${JSON.stringify(warnings)}}`
}
