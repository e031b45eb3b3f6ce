import type { Code } from './messages/index.ts'

/** What a secret of the form of Standard Webhooks begins with. */
const prefix = 'whsec_'

const fewest = 16
const most = 256

/** Bytes of a key that is written as `whsec_` and base64. */
const fewestBytes = 16
const mostBytes = 64

/**
 * Why a text cannot be a signing secret; nothing where it can. It has 16 to 256 characters (code points), no control
 * characters and no outer white space, and what looks like a secret of Standard Webhooks is one.
 */
export function secretProblem(secret: string): Code | undefined {
  if (!secret.isWellFormed()) return 'not_well_formed'
  if (/\p{Cc}/u.test(secret) || secret.trim() !== secret) return 'webhook_secret_characters'
  // Twice as many code units are surely too many code points, and need no counting.
  const length = secret.length > 2 * most ? secret.length : [...secret].length
  if (length < fewest) return 'webhook_secret_too_short'
  if (length > most) return 'webhook_secret_too_long'
  return secret.startsWith(prefix) && decodedKey(secret) === undefined ? 'webhook_secret_not_base64' : undefined
}

/** The key of Standard Webhooks: the bytes behind `whsec_`, else the UTF-8 of the secret as it stands. */
export function signingKey(secret: string): Uint8Array {
  return decodedKey(secret) ?? Buffer.from(secret)
}

/** The secret as receivers of Standard Webhooks take it, whatever it is: `whsec_` and the padded base64 of its key. */
export function shownSecret(secret: string): string {
  return prefix + Buffer.from(signingKey(secret)).toString('base64')
}

/** A new secret of 32 random bytes, which come as hexadecimal (`Credentials.token`). */
export function newSecret(randomHex: string): string {
  return prefix + Buffer.from(randomHex, 'hex').toString('base64')
}

/** The secret as whoever may not see it is shown it: the last four characters of its shown form. */
export function maskedSecret(secret: string): string {
  return `****${shownSecret(secret).slice(-4)}`
}

/** Whether a text is the mask of some secret; no secret is as short. */
export function isMasked(text: string): boolean {
  return /^\*{4}[\w+/=]{4}$/.test(text)
}

/** The bytes behind `whsec_`, where they are written as RFC 4648 (section 4) writes them, with or without padding. */
function decodedKey(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  const key = Buffer.from(text, 'base64')
  const padded = key.toString('base64')
  const isCanonical = text === padded || text === padded.replace(/=+$/, '')
  return isCanonical && key.length >= fewestBytes && key.length <= mostBytes ? key : undefined
}
