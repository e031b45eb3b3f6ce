import {
  atOnce,
  canonicalLink,
  deriveId,
  instantOf,
  isObject,
  type KeptSource,
  longestWord,
  type Members,
  type Reading,
  type SourceEvent,
  type SourceWords,
  sha256,
} from '../../../engine/index.ts'
import { actionOf } from '../codes.ts'
import { hashIdOf, isSameHash } from '../event-hash.ts'
import { facetsOf } from '../facets.ts'
import { consumedCode } from './foreign.ts'
import { expanded } from './things.ts'

/** How an event came, and what is in its document beside the events. */
export interface Origin {
  readonly kept: KeptSource
  readonly header?: KeptSource
}

/** An event as it is kept; `form` is its form in JSON, with the prefixes in scope. */
export function sourceOf(form: Members, prefixes: ReadonlyMap<string, string>, origin: Origin): SourceEvent {
  return atOnce(sourceInSteps(form, prefixes, origin))
}

/** The same in steps. */
export function* sourceInSteps(
  form: Members,
  prefixes: ReadonlyMap<string, string>,
  { kept, header }: Origin,
): Generator<void, SourceEvent> {
  const { eventID, errorDeclaration: declaration } = form
  yield
  const content = contentOf(form, prefixes)
  yield
  const hash = hashIdOf(form, prefixes)
  yield
  const id = typeof eventID === 'string' ? eventID : hash
  return {
    id,
    ...(isSameHash(id, hash) && { isHash: true }),
    ...(typeof eventID !== 'string' && { formerId: `urn:uuid:${deriveId('epcis', content)}` }),
    content,
    at: String(form.eventTime),
    facets: facetsOf(form, prefixes, id),
    ...(isObject(declaration) && { declaration }),
    kept,
    ...(header && { header }),
  }
}

/** A reading with its source, whose words stand in the native event. */
export function withSource(
  reading: Reading,
  form: Members,
  prefixes: ReadonlyMap<string, string>,
  source: SourceEvent,
): Reading {
  if (reading.findings !== undefined) return reading
  if (!isObject(reading.event)) return { ...reading, source }
  const { event: native } = reading
  const isConsumed = native.status_code === consumedCode
  const words: SourceWords = { id: source.id, ...wordsOf(form, prefixes, isConsumed) }
  return { ...reading, source, event: { ...native, source: { ...(native.source as object), event: words } } }
}

/**
 * What an event says of a single thing. Only an object event says with its action whether a thing began or ceased to
 * exist, and the disposition of a transformation is that of its outputs (EPCIS 2.0, sections 7.4.2 to 7.4.6).
 */
function wordsOf(
  { type, action, bizStep, disposition }: Members,
  prefixes: ReadonlyMap<string, string>,
  isConsumed: boolean,
): Omit<SourceWords, 'id'> {
  const word = (value: unknown) => {
    const text = typeof value === 'string' ? expanded(value, prefixes) : ''
    return text !== '' && text.length <= longestWord ? text : undefined
  }
  // Neither the step nor the disposition is that of an input.
  if (isConsumed) return { action: 'OBSERVE' }
  const [biz_step, state] = [word(bizStep), word(disposition)]
  return {
    action: type === 'ObjectEvent' && typeof action === 'string' ? action : (actionOf[biz_step ?? ''] ?? 'OBSERVE'),
    ...(biz_step !== undefined && { biz_step }),
    ...(state !== undefined && { disposition: state }),
  }
}

/** Members that say nothing about what happened. */
const beside: ReadonlySet<string> = new Set(['@context', 'eventID', 'recordTime', 'errorDeclaration'])

const times: ReadonlySet<string> = new Set(['eventTime', 'time', 'startTime', 'endTime'])

function contentOf(form: Members, prefixes: ReadonlyMap<string, string>): string {
  const said = Object.fromEntries(Object.entries(form).filter(([name]) => !beside.has(name)))
  return sha256(textOf('', said, prefixes))
}

/** A value as text that does not depend on the order of members and lists, on prefixes or on the type of scalars. */
function textOf(name: string, value: unknown, prefixes: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => textOf(name, item, prefixes)).sort()}]`
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, inner]) => `${JSON.stringify(expanded(key, prefixes))}:${textOf(key, inner, prefixes)}`,
    )
    return `{${members.sort()}}`
  }
  if (typeof value !== 'string') return JSON.stringify(String(value))
  if (times.has(name) && !Number.isNaN(Date.parse(value))) return JSON.stringify(instantOf(value))
  return JSON.stringify(canonicalLink(expanded(value, prefixes)))
}
