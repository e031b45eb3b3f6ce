import type { Credentials } from '../../../kernel/credentials.ts'
import { sha256 } from '../../../kernel/id.ts'
import { withChecksum, withoutChecksum } from '../checksum.ts'

/** What the code, the access tokens and the refresh tokens of a grant begin with; its id follows, then random bytes. */
const prefixes = { code: 'otc', access: 'ota', refresh: 'otr' } as const

type Random = Pick<Credentials, 'token'>

const form = /^(ot[car])_(\d{1,15})_([0-9a-f]{64})([0-9a-f]{64})?$/

/** A code or token of a grant, taken apart. */
interface Parts {
  readonly id: number
  /** The part that all refresh tokens of a grant share; empty in codes and access tokens. */
  readonly family: string
}

/** A new code or access token of a grant. */
export function newGrantToken({ token }: Random, kind: 'code' | 'access', id: number): string {
  return withChecksum(`${prefixes[kind]}_${id}_${token()}`)
}

/** A new refresh token of a family: a used one is known by its family alone, so that no list of them has to be kept. */
export function newRefreshToken({ token }: Random, id: number, family: string): string {
  return withChecksum(`${prefixes.refresh}_${id}_${family}${token()}`)
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
