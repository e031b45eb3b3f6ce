import type { Outbound } from '../../node/outbound.ts'
import { isRefusal, type RetryAfterOf, refusalOf, waitAfter } from './refusal.ts'
import { type Answered, type Ask, type Asked, type AskToken, at, type Shop, type ShopDriver } from './shop.ts'
import { createTokens } from './tokens.ts'

/** Dependencies of what asks shops. */
interface AskingParts {
  readonly outbound: Pick<Outbound, 'send'>
  readonly userAgent: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly retryAfterOf: RetryAfterOf
  /** Keeps credentials of a shop that take the place of those that were used. */
  readonly renewed: (shop: Shop, credentials: Shop['credentials']) => Promise<void>
}

interface Posted extends Pick<Asked, 'method'> {
  readonly url: string
  readonly text: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Asks a shop by its driver, until a signal ends it. */
export type Asking = (shop: Shop, driver: ShopDriver, signal: AbortSignal) => Ask

/** Creates what asks shops. A token that is refused is replaced once. */
export function createAsking(parts: AskingParts): Asking {
  const { clock, renewed, retryAfterOf } = parts
  const tokens = createTokens(async (shop, driver, signal) => {
    const token = await driver.token(shop, askToken(parts, signal))
    const { refreshToken: refresh_token } = token
    if (refresh_token !== undefined && refresh_token !== shop.credentials.refresh_token)
      await renewed(shop, { ...shop.credentials, refresh_token })
    return token
  }, clock)

  return (shop, driver, signal) => {
    const once = async (asked: Asked): Promise<Answered> => {
      const { method, path, body } = asked
      const own = driver.headers(shop, await tokens.of(shop, driver, signal))
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = { ...(text !== undefined && { 'content-type': 'application/json' }), ...own }
      const answered = await post(parts, { method, url: shop.address + path, text, headers, signal })
      const wrong = answered.status >= 200 && answered.status < 300 ? driver.refusal?.(answered) : {}
      if (wrong === undefined) return answered
      throw refusalOf(asked, answered, wrong.retryAfter ?? waitAfter(answered, clock(), retryAfterOf))
    }
    return async (asked) => {
      try {
        return await once(asked)
      } catch (error) {
        const isOld = isRefusal(error) && error.answered.status === 401 && driver.token !== undefined
        if (!isOld || !tokens.drop(shop)) throw error
        return once(asked)
      }
    }
  }
}

async function post({ outbound, userAgent }: AskingParts, { method, url, text, headers, signal }: Posted) {
  const { status, bytes, ...got } = await outbound.send({
    ...{ method, url, signal, ...(text !== undefined && { body: text }) },
    headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
  })
  const answer = new TextDecoder().decode(bytes)
  return { status, headers: got.headers, text: answer, json: jsonIn(answer) }
}

function askToken(parts: AskingParts, signal: AbortSignal): AskToken {
  const { clock, retryAfterOf } = parts
  return async ({ url, form, headers: own }) => {
    const asked = { method: 'POST', path: new URL(url).pathname } as const
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...own }
    const text = new URLSearchParams(form).toString()
    const answered = await post(parts, { method: 'POST', url, text, headers, signal })
    const token = at(answered.json, 'access_token')
    if (answered.status !== 200 || typeof token !== 'string')
      throw refusalOf(asked, answered, waitAfter(answered, clock(), retryAfterOf))
    const refreshToken = at(answered.json, 'refresh_token')
    return {
      token,
      expiresAt: clock() + 1_000 * Number(at(answered.json, 'expires_in') ?? 0),
      ...(typeof refreshToken === 'string' && { refreshToken }),
    }
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
