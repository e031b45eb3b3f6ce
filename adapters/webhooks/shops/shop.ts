import type { Outbound } from '../../node/outbound.ts'

/** A shop that is sent something. */
export interface Shop {
  readonly id: number
  readonly kind: string
  /** The address of its interface, without a slash at the end. */
  readonly address: string
  readonly credentials: Readonly<Record<string, string>>
}

/** A request to a shop; its path begins after the address. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: object
}

/** The answer of a shop. */
export interface Answered {
  readonly status: number
  readonly headers: Awaited<ReturnType<Outbound['send']>>['headers']
  readonly text: string
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown
}

/** Asks a shop with its credentials. Rejects with a refusal where the answer is one. */
export type Ask = (asked: Asked) => Promise<Answered>

/** What is known of an order in a shop before something is sent. */
export interface Looked {
  /** Options of the format, such as the items of the order. */
  readonly options: Readonly<Record<string, string>>
  /** Requests that come before all others. */
  readonly before?: readonly Asked[]
  /** Whether a request would tell the shop what it knows already, or undo what the shop has decided. */
  isDone(asked: Asked): boolean
}

/** The access token of a shop, and until when it may be used (epoch milliseconds). */
export interface Token {
  readonly token: string
  readonly expiresAt: number
  /** The refresh token that takes the place of the one that was used. */
  readonly refreshToken?: string
}

/** Sends a form to the server that gives tokens, and reads its answer. */
export type AskToken = (request: {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}) => Promise<Token>

/** What is special about a kind of shop. */
export interface ShopDriver {
  /** Gets an access token, where the credentials are not used themselves. */
  readonly token?: (shop: Shop, ask: AskToken) => Promise<Token>
  /** The headers by which the shop knows us. */
  readonly headers: (shop: Shop, token: string) => Readonly<Record<string, string>>
  /** A request that changes nothing, and that only valid credentials may make. */
  readonly check: (shop: Shop) => Asked
  /** What the shop knows of an order and of the parcel with a number. */
  readonly look: (shop: Shop, order: string, number: string, ask: Ask) => Promise<Looked>
  /** Why an answer with the status 200 is a refusal, and how many milliseconds to wait. */
  readonly refusal?: (answered: Answered) => { readonly retryAfter?: number } | undefined
}

/** A member of a value of unknown form; undefined if there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string | number, unknown>)[name]
  }
  return found
}

/** The items of a list at a place of a value; none if there is no list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** A part of a path, with all that could lead elsewhere encoded. */
export function part(text: string): string {
  return encodeURIComponent(text)
}
