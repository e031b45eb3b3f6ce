import { createHash } from 'node:crypto'
import type { Shop, ShopDriver, Token } from './shop.ts'

/** The access tokens of shops. */
export interface Tokens {
  /** A token that may be used; empty for a shop that needs none. */
  of(shop: Shop, driver: ShopDriver, signal: AbortSignal): Promise<string>
  /** Drops a token that was refused; returns whether there was one. */
  drop(shop: Shop): boolean
}

/** Milliseconds before its end in which a token is no longer used. */
const margin = 60_000

/** Tokens that are kept in memory. */
const maxTokens = 10_000

/** Creates the tokens of shops: each is kept until it ends or is dropped, and got once for all who wait for it. */
export function createTokens(
  get: (shop: Shop, driver: Required<Pick<ShopDriver, 'token'>>, signal: AbortSignal) => Promise<Token>,
  clock: () => number,
): Tokens {
  const kept = new Map<string, Promise<Token>>()
  return {
    of: async (shop, { token }, signal) => {
      if (token === undefined) return ''
      const key = keyOf(shop)
      const known = await kept.get(key)?.catch(() => undefined)
      if (known !== undefined && known.expiresAt - margin > clock()) return known.token
      const getting = get(shop, { token }, signal)
      if (kept.size >= maxTokens) kept.clear()
      kept.set(key, getting)
      getting.catch(() => kept.delete(key))
      return (await getting).token
    },
    drop: (shop) => kept.delete(keyOf(shop)),
  }
}

/** Other credentials have other tokens, but for the refresh token, which a token itself may replace. */
function keyOf({ id, address, credentials: { refresh_token: _, ...credentials } }: Shop): string {
  return createHash('sha256')
    .update(JSON.stringify([id, address, credentials]))
    .digest('hex')
}
