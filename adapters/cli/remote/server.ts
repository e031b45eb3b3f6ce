import { randomUUID } from 'node:crypto'
import { type Answer, isObject } from '../../../engine/index.ts'
import { wait } from '../../node/wait.ts'
import type { Credentials } from './credentials.ts'
import { isLasting, isUnsent, refusalIn, refusedBy, type ServerRefusal, strange, unreachable } from './failure.ts'
import { type OperationRequest, operationNamed, requestFor } from './requests.ts'

/** A request of a command. */
interface ServerRequest extends Pick<OperationRequest, 'method' | 'path' | 'isRepeatable'> {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds for an answer, with its body; those of `patience` if absent, and none for a live response. */
  readonly patience?: number | 'live'
  /** Ends a live response. */
  readonly signal?: AbortSignal
}

/** A server that commands ask over its public REST interface. */
export interface Server {
  readonly url: string
  /** Calls an operation; throws its refusal. */
  call(name: string, input?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Answer>
  /** All items of a list that comes in pages. */
  all<Item>(name: string, member: string, input?: Readonly<Record<string, unknown>>): Promise<readonly Item[]>
  /** The answer to a request that succeeded; throws a refusal. */
  json(request: ServerRequest): Promise<Answer>
  /** The response to a request that succeeded; throws a refusal. */
  send(request: ServerRequest): Promise<Response>
}

/** What a server is asked with. */
interface Asking {
  readonly url: string
  readonly credentials: Credentials
  /** The language of messages (`Accept-Language`). */
  readonly language: string
  readonly userAgent: string
  /** Says that a request waits for its next attempt. */
  readonly waiting: (seconds: number, why: string) => void
}

/** Milliseconds that an answer may take. */
const patience = 30_000

/** How often a request is sent at most, and the longest wait before the next time in seconds. */
const most = { attempts: 4, wait: 60 }

const perPage = 200

/** A server at a URL. */
export function serverAt(asking: Asking): Server {
  const send = (request: ServerRequest) => sent(asking, request)
  async function json(request: ServerRequest): Promise<Answer> {
    const response = await send(request)
    const answer = parsed(await response.text())
    if (!isObject(answer)) throw strange(asking.url, response)
    return answer as Answer
  }
  function call(name: string, input: Readonly<Record<string, unknown>> = {}, signal?: AbortSignal): Promise<Answer> {
    const request = requestFor(operationNamed(name), input, randomUUID())
    return json(signal === undefined ? request : { ...request, signal })
  }
  return {
    url: asking.url,
    ...{ call, json, send },
    async all<Item>(name: string, member: string, input: Readonly<Record<string, unknown>> = {}) {
      const found: Item[] = []
      for (let page = 1; ; page++) {
        const answer = await call(name, { ...input, page, per_page: perPage })
        const items = answer[member] as readonly Item[]
        found.push(...items)
        if (items.length < perPage) return found
      }
    },
  }
}

/** Sends a request until it is answered, as often as that is safe. Renews credentials once if they are refused. */
async function sent(asking: Asking, request: ServerRequest): Promise<Response> {
  const { credentials } = asking
  let bearer = await credentials.bearer()
  let isRenewed = false
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= most.attempts
    let response: Response
    try {
      response = await once(asking, request, bearer)
    } catch (error) {
      if (request.signal?.aborted || isLast || isLasting(error) || !(request.isRepeatable || isUnsent(error)))
        throw unreachable(asking.url, error)
      await pauseBefore(asking, attempt, request, undefined, 'the server did not answer')
      continue
    }
    if (response.ok) return response
    const refusal = await refusalOf(asking.url, response)
    if (refusal.status === 401 && bearer !== undefined && !isRenewed) {
      isRenewed = true
      const next = await credentials.bearer(bearer)
      if (next !== bearer) {
        bearer = next
        continue
      }
    }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const isTransient = refusal.status === 429 || (request.isRepeatable && [502, 503, 504].includes(refusal.status))
    if (!isTransient || isLast || seconds > most.wait) throw refusedBy(withHint(refusal, asking, bearer))
    await pauseBefore(asking, attempt, request, seconds, refusal.message)
  }
}

async function once(
  { url, language, userAgent }: Asking,
  { method, path, headers, body, patience: given = patience, signal }: ServerRequest,
  bearer: string | undefined,
): Promise<Response> {
  const signals = [...(given === 'live' ? [] : [AbortSignal.timeout(given)]), ...(signal === undefined ? [] : [signal])]
  return fetch(`${url}${path}`, {
    method,
    // A redirect would carry the key to somewhere else.
    redirect: 'manual',
    headers: {
      ...{ Accept: 'application/json', 'User-Agent': userAgent },
      ...(/^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(language) ? { 'Accept-Language': language } : {}),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
  })
}

async function refusalOf(url: string, response: Response): Promise<ServerRefusal> {
  const text = await response.text().catch(() => '')
  const refusal = refusalIn(response.status, parsed(text))
  if (refusal !== undefined) return refusal
  // A proxy before the server answers in its own way while the server starts.
  if ([429, 502, 503, 504].includes(response.status))
    return {
      status: response.status,
      code: 'unavailable',
      message: `${url} answers with ${response.status}.`,
      errors: [],
    }
  throw strange(url, response)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function pauseBefore(
  { waiting }: Asking,
  attempt: number,
  { signal }: ServerRequest,
  seconds: number | undefined,
  why: string,
): Promise<void> {
  const usual = 0.5 * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
  const pause = Number.isFinite(seconds) ? Math.max(Number(seconds), usual) : usual
  waiting(pause, why)
  await wait(pause * 1_000, signal ?? new AbortController().signal)
}

/** Adds what a person can do about a refusal of rights. */
function withHint(refusal: ServerRefusal, { url, credentials }: Asking, bearer: string | undefined): ServerRefusal {
  if (refusal.status === 401)
    return {
      ...refusal,
      hint:
        bearer === undefined
          ? `Sign in with otep login ${url}, or give a key with --key-file FILE or OTEP_KEY.`
          : `${url} does not accept ${credentials.from}.`,
    }
  if (refusal.status === 403) {
    const more = credentials.isGrant === true ? ` Ask for more with otep login ${url} --scopes SCOPES.` : ''
    return { ...refusal, hint: `The request was made with ${credentials.from}.${more}` }
  }
  return refusal
}
