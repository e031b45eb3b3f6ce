import {
  type Context,
  requestedFormat as formatNamed,
  type RequestedFormat,
  readTimeline,
  representationsOf,
  type StreamName,
  type Target,
  type Timeline,
  textOf,
} from '../../engine/index.ts'
import { parseJson } from '../http/json.ts'
import { negotiate } from '../http/negotiate.ts'
import { type Invocation, usageError } from './command.ts'

/** The requested format, and how its documents are written. */
interface FormatRequest extends RequestedFormat {
  readonly write: (timeline: Timeline, target: Target) => string | Promise<string>
}

/** Reads the format options; plain JSON is indented for people. */
export function requestedFormat({ values }: Invocation, context: Context): FormatRequest {
  const { format, option, accept } = values as Readonly<Record<string, string | undefined>>
  const chosen = accept === undefined ? undefined : negotiate(context.formats, accept, { named: format, kind: 'one' })
  const wanted = formatNamed(context, chosen?.format ?? format, option === undefined ? {} : optionOf(option))
  const { projection } = wanted
  if (chosen === undefined) {
    return { ...wanted, write: (timeline, target) => JSON.stringify(projection.project(timeline, target), null, 2) }
  }
  const form = chosen.representation ?? representationsOf(projection)[0]
  return { ...wanted, write: (timeline, target) => textOf(projection, form, timeline, target) }
}

/** An option of a format, such as `as=capture`. */
export function optionOf(text: string): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw usageError(`--option takes NAME=VALUE, not ${text}.`)
  return { [name]: value }
}

/** A timeline as a document with a line end. */
export async function documentText(timeline: Timeline, { target, write }: FormatRequest): Promise<string> {
  const text = await write(timeline, target)
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Every timeline of a store, in order of creation. */
export async function* timelinesOf(context: Context): AsyncGenerator<Timeline> {
  const streams = new Set<StreamName>()
  for await (const { stream } of context.store.readAll(undefined, { category: 'tracking' }))
    streams.add(stream as StreamName)
  for (const stream of streams) yield (await readTimeline(context, stream)).timeline
}

/** Parses a foreign document: XML stays text, anything else is JSON. */
export function foreignDocument(text: string): unknown {
  return /^\uFEFF?\s*</.test(text) ? text : parseJson(text)
}
