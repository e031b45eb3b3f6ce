import {
  type AnswerVersion,
  anonymous,
  type Context,
  decidingStreams,
  type Growth,
  languages,
  otepTracking,
  publicKinds,
  requestedFormat,
  type StreamName,
  sha256,
  versionOfFormat,
} from '../../engine/index.ts'
import { negotiate } from '../http/negotiate.ts'
import { type AnswerRow, type KeepingParts, labelOf, openedAnswer } from '../node/answers.ts'
import type { ContextParts } from '../node/gateway.ts'
import { packageVersion } from '../node/version.ts'
import type { CachedRequest } from './cached-request.ts'

/** An answer that was kept, and is current. */
export interface KeptAnswer {
  readonly request: Pick<CachedRequest, 'input' | 'wanted' | 'version'>
  readonly tag: string
  readonly streams: readonly StreamName[]
  /** The count of growth at which it was current. */
  readonly since: number
  readonly body: Uint8Array
}

/** An answer that may be kept. */
export interface NewAnswer extends Pick<KeptAnswer, 'tag' | 'body'> {
  readonly address: string
  readonly request: CachedRequest
  readonly version: AnswerVersion
  readonly since: number | undefined
}

/** Answers to the public that outlive the process and its memory: timelines in the native form, by their number. */
export interface KeptAnswers {
  /** The count of growth now. */
  count(): number | undefined
  /** The answer to a GET, without waiting. */
  find(address: string, accept: string | undefined): KeptAnswer | undefined
  /** Keeps an answer a moment later, if it is one of these and is still current. */
  keep(answer: NewAnswer): void
}

/** Larger answers are rare, and take longer to send than to make. */
const maxBytes = 64 * 1024

/** A number that has only one form on the wire, and is no GS1 key. */
const plainNumber = /^[A-Za-z0-9][\w.-]{0,63}$/

/** Keeps answers with what belongs to a history of the store. */
export function createKeptAnswers(
  { rows, vault, growth }: KeepingParts,
  parts: ContextParts & { readonly randomId: () => string },
): KeptAnswers {
  const plain = negotiate(parts.formats, undefined, { kind: 'one' })
  const maker = makerOf(parts)

  async function rowOf(
    number: string,
    { tag, body, since, version: { streams = [] } }: NewAnswer,
  ): Promise<AnswerRow | undefined> {
    const ends = since === undefined ? undefined : endsSince(growth, streams, since)
    const stream = streams.at(-1)
    if (ends === undefined || stream === undefined) return undefined
    const row = { stream, maker, tag, ends }
    const sealed = await vault.seal(stream, labelOf(number, row), body)
    return sealed && { ...row, ...sealed }
  }

  /** Whether an answer is wanted in the form that is kept. */
  function isPlain(accept: string | undefined): boolean {
    return accept === undefined || accept === '*/*' || isSame(negotiate(parts.formats, accept, { kind: 'one' }), plain)
  }

  function find(address: string, accept: string | undefined): KeptAnswer | undefined {
    const tracking_number = numberIn(address)
    const since = tracking_number === undefined ? undefined : growth.count()
    if (tracking_number === undefined || since === undefined || !isPlain(accept)) return undefined
    const number = tracking_number.toUpperCase()
    const row = rows.find(number)
    const deciding = row?.maker === maker ? decidingStreams(number, publicKinds) : undefined
    if (row === undefined || deciding === undefined) return undefined
    const streams = [...deciding, row.stream as StreamName]
    if (growth.revisions(streams).join() !== row.ends) return undefined
    const body = openedAnswer(vault, number, row)
    if (body === undefined) return undefined
    const input = { tracking_number }
    const { tag } = row
    return { request: { input, wanted: plain, version: versionLater(parts, input) }, tag, streams, since, body }
  }

  return {
    count: () => growth.count(),
    find: (address, accept) => {
      try {
        return find(address, accept)
      } catch {
        // Whoever answers instead says what is wrong: with the request, or with the store.
        return undefined
      }
    },
    keep: (answer) => {
      const { address, request, version, body } = answer
      const number = numberIn(address)?.toUpperCase()
      if (number === undefined || version.streams === undefined || body.byteLength > maxBytes) return
      if (request.operation.name !== otepTracking.name || !isSame(request.wanted, plain)) return
      rows.keep(number, body.byteLength, () => rowOf(number, answer))
    },
  }
}

/** The revisions of streams that have not grown since; undefined if one has. */
function endsSince(growth: Growth, streams: readonly StreamName[], since: number): string | undefined {
  const stand = () => growth.count('now') !== undefined && !growth.hasGrown(streams, since)
  if (!stand()) return undefined
  const ends = growth.revisions(streams).join()
  return stand() ? ends : undefined
}

const path = '/api/v1/otep/trackings/'

function numberIn(address: string): string | undefined {
  const number = address.startsWith(path) ? address.slice(path.length) : ''
  return plainNumber.test(number) ? number : undefined
}

function isSame(one: CachedRequest['wanted'], other: CachedRequest['wanted']): boolean {
  return one.place === other.place && one.format === other.format && one.representation === other.representation
}

/** All that answers depend on but events. The entity tag has the format too; this is compared before a row is opened. */
function makerOf(parts: ContextParts): string {
  const format = versionOfFormat(requestedFormat(parts))
  return sha256(JSON.stringify([packageVersion(), format, parts.publicView, parts.profiles])).slice(0, 24)
}

/** Prepares the version when it is asked for the first time: most answers are never asked for again. */
function versionLater(parts: ContextParts, input: { readonly tracking_number: string }): CachedRequest['version'] {
  let version: CachedRequest['version'] | undefined
  return () => {
    const caller = { caller: anonymous, messages: languages.en, requestId: parts.randomId() }
    const context: Context = { ...parts, ...caller }
    version ??= otepTracking.version?.(context, input)
    return version?.() ?? Promise.reject(new Error('Timelines have a version.'))
  }
}
