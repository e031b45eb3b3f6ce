import type { Code } from './messages/index.ts'

// The form of signing secrets: the domains with endpoints accept and mask them, and the dispatcher signs with them.

/** Prefix of a Standard Webhooks secret. */
const prefix = 'whsec_'

const fewest = 16
const most = 256

/** Bounds in bytes of a key that is written as `whsec_` and base64. */
const fewestBytes = 16
const mostBytes = 64

/**
 * Why a text cannot be a signing secret, if so. A secret has 16 to 256 characters (code points), no control
 * characters and no outer white space; if it starts like a Standard Webhooks secret, it must be one.
 */
export function secretProblem(secret: string): Code | undefined {
  if (!secret.isWellFormed()) return 'not_well_formed'
  if (/\p{Cc}/u.test(secret) || secret.trim() !== secret) return 'webhook_secret_characters'
  // Twice as many code units are certainly too many code points.
  const length = secret.length > 2 * most ? secret.length : [...secret].length
  if (length < fewest) return 'webhook_secret_too_short'
  if (length > most) return 'webhook_secret_too_long'
  return secret.startsWith(prefix) && decodedKey(secret) === undefined ? 'webhook_secret_not_base64' : undefined
}

/** The Standard Webhooks key: the decoded bytes after `whsec_`, or the UTF-8 of any other secret. */
export function signingKey(secret: string): Uint8Array {
  return decodedKey(secret) ?? Buffer.from(secret)
}

/** The secret in the form that Standard Webhooks receivers accept: `whsec_` and the padded base64 of its key. */
export function shownSecret(secret: string): string {
  return prefix + Buffer.from(signingKey(secret)).toString('base64')
}

/** A new secret from 32 random bytes in hexadecimal (`Credentials.token`). */
export function newSecret(randomHex: string): string {
  return prefix + Buffer.from(randomHex, 'hex').toString('base64')
}

/** The secret for callers who may not see it: the last four characters of its shown form. */
export function maskedSecret(secret: string): string {
  return `****${shownSecret(secret).slice(-4)}`
}

/** Whether a text is the mask of a secret; no secret is that short. */
export function isMasked(text: string): boolean {
  return /^\*{4}[\w+/=]{4}$/.test(text)
}

/** The bytes after `whsec_`, if they are valid base64 (RFC 4648, section 4) with or without padding. */
function decodedKey(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  const key = Buffer.from(text, 'base64')
  const padded = key.toString('base64')
  const isCanonical = text === padded || text === padded.replace(/=+$/, '')
  return isCanonical && key.length >= fewestBytes && key.length <= mostBytes ? key : undefined
}
