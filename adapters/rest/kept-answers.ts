import {
  type AnswerVersion,
  decidingStreams,
  type Growth,
  otepTracking,
  publicKinds,
  requestedFormat,
  type StreamName,
  sha256,
  versionOfFormat,
} from '../../engine/index.ts'
import { negotiate } from '../http/negotiate.ts'
import { type AnswerRow, type KeepingParts, labelOf, type NumberedRow, openedAnswers } from '../node/answers.ts'
import type { ContextParts } from '../node/gateway.ts'
import { unlessFailing } from '../node/unless-failing.ts'
import { packageVersion } from '../node/version.ts'
import type { CachedRequest, RouteParts } from './cached-request.ts'

/** An answer that was kept, and is current. */
export interface KeptAnswer {
  readonly tag: string
  readonly streams: readonly StreamName[]
  /** The count of growth at which it was current. */
  readonly since: number
  readonly body: Uint8Array
}

/** An answer that may be kept. */
interface NewAnswer extends Pick<KeptAnswer, 'tag' | 'body'> {
  readonly address: string
  readonly request: CachedRequest
  readonly version: AnswerVersion
  readonly since: number | undefined
}

/** Answers to the public that outlive the process and its memory: timelines in the native form, by their number. */
export interface KeptAnswers {
  /** The count of growth now. */
  count(): number | undefined
  /** The number to which a GET of this address may have a kept answer. */
  numberIn(address: string, accept: string | undefined): string | undefined
  /** The kept answers to numbers that are current, in their order, without waiting. */
  find(numbers: readonly string[]): readonly (KeptAnswer | undefined)[]
  /** The request to which the kept answer to a number is the answer. */
  requestOf(route: RouteParts, number: string): CachedRequest
  /** Keeps an answer a moment later, if it is one of these and is still current. */
  keep(answer: NewAnswer): void
}

/** Larger answers are rare, and take longer to send than to make. */
const maxBytes = 64 * 1024

/** A number that has only one form on the wire, and is no GS1 key. */
const plainNumber = /^[A-Za-z0-9][\w.-]{0,63}$/

/** Keeps answers with what belongs to a history of the store. */
export function createKeptAnswers({ rows, vault, growth }: KeepingParts, parts: ContextParts): KeptAnswers {
  const plain = negotiate(parts.formats, undefined, { kind: 'one' })
  const maker = makerOf(parts)
  const find = createFinding({ rows, vault, growth }, maker)

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

  function requestOf(route: RouteParts, tracking_number: string): CachedRequest {
    const input = { tracking_number }
    let version: CachedRequest['version'] | undefined
    // Prepared when something has grown, which most timelines that are in memory never see.
    const prepared: CachedRequest['version'] = (context) => {
      version ??= route.operation.version(context, input)
      return version(context)
    }
    return { ...route, input, wanted: plain, version: prepared }
  }

  return {
    count: () => growth.count(),
    // Who answers instead says what is wrong: with the request, or with the store.
    numberIn: (address, accept) => {
      const number = numberIn(address)
      return number !== undefined && unlessFailing(() => isPlain(accept)) ? number : undefined
    },
    find: (numbers) => unlessFailing(() => find(numbers)) ?? [],
    requestOf,
    keep: (answer) => {
      const { address, request, version, body } = answer
      const number = numberIn(address)?.toUpperCase()
      if (number === undefined || version.streams === undefined || body.byteLength > maxBytes) return
      if (request.operation.name !== otepTracking.name || !isSame(request.wanted, plain)) return
      rows.keep(number, body.byteLength, () => rowOf(number, answer))
    },
  }
}

/** Creates the function that finds the kept answers to numbers that are of this maker, and current. */
function createFinding({ rows, vault, growth }: KeepingParts, maker: string): KeptAnswers['find'] {
  /** The streams that decide an answer, if they end where it says. */
  function streamsOf({ number, row }: NumberedRow): readonly StreamName[] | undefined {
    const deciding = row.maker === maker ? decidingStreams(number, publicKinds) : undefined
    if (deciding === undefined) return undefined
    const streams = [...deciding, row.stream as StreamName]
    return growth.revisions(streams).join() === row.ends ? streams : undefined
  }

  // One step for all before the next: that takes less time than all steps for each.
  return (asked) => {
    const since = growth.count('now')
    if (since === undefined) return []
    const found = rows.find(asked.map((number) => number.toUpperCase()))
    return growth.atOnce(() => {
      const current = found.flatMap((row, at) => {
        if (row === undefined) return []
        const numbered = { number: (asked[at] ?? '').toUpperCase(), row }
        const streams = streamsOf(numbered)
        return streams === undefined ? [] : { ...numbered, at, streams }
      })
      const bodies = openedAnswers(vault, current)
      const answers = new Array<KeptAnswer | undefined>(asked.length)
      for (const [index, { at, row, streams }] of current.entries()) {
        const body = bodies[index]
        if (body !== undefined) answers[at] = { tag: row.tag, streams, since, body }
      }
      return answers
    })
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
