import type { Credentials } from '../../../kernel/credentials.ts'
import { sha256 } from '../../../kernel/id.ts'
import { withChecksum, withoutChecksum } from '../checksum.ts'

/** What the code, the access tokens and the refresh tokens of a grant begin with; its id follows, then random bytes. */
const prefixes = { code: 'otc', access: 'ota', refresh: 'otr' } as const

type Random = Pick<Credentials, 'token'>

const form = /^(ot[car])_(\d{1,15})_([0-9a-f]{64})([0-9a-f]{64})?$/

/** An access token and the refresh token that came with it. */
export interface Tokens {
  readonly access: string
  readonly refresh: string
}

/** A code or token of a grant, taken apart. */
interface Parts {
  readonly id: number
  /**
   * The part that all refresh tokens of a grant share; empty in codes and access tokens. A used one is known by it alone, so
   * that no list of them has to be kept.
   */
  readonly family: string
}

/** A new code of a grant. */
export function newCode({ token }: Random, id: number): string {
  return withChecksum(`${prefixes.code}_${id}_${token()}`)
}

/** The first tokens of a grant. */
export function firstTokens({ token }: Random, parts: Parts): Tokens {
  return tokensOf(parts, () => token())
}

/**
 * The tokens for which a refresh token is exchanged: a keyed hash of it, so that a retry gets the same ones, though only
 * their hashes are stored.
 */
export function tokensAfter({ blind }: Pick<Credentials, 'blind'>, parts: Parts, refresh: string): Tokens {
  return tokensOf(parts, (kind) => blind(`grant ${kind}\0${refresh}`))
}

function tokensOf({ id, family }: Parts, secretOf: (kind: keyof Tokens) => string): Tokens {
  return {
    access: withChecksum(`${prefixes.access}_${id}_${secretOf('access')}`),
    refresh: withChecksum(`${prefixes.refresh}_${id}_${family}${secretOf('refresh')}`),
  }
}

/** The parts of a text that has the form and the checksum of a code or token of a grant; undefined for any other text. */
export function grantTokenIn(text: string, kind: keyof typeof prefixes): Parts | undefined {
  const [, prefix, id, first = '', second] = form.exec(withoutChecksum(text) ?? '') ?? []
  if (prefix !== prefixes[kind] || (second !== undefined) !== (kind === 'refresh')) return undefined
  return { id: Number(id), family: kind === 'refresh' ? first : '' }
}

/** The hash by which a grant knows the family of its refresh tokens. */
export function familyHash(family: string): string {
  return sha256(family)
}
