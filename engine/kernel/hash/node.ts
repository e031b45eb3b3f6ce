import { createHmac, hash } from 'node:crypto'

/** SHA-256 of a text in UTF-8, as lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** SHA-1 of bytes, as lower-case hexadecimal. */
export function sha1(bytes: Uint8Array): string {
  return hash('sha1', bytes)
}

/** HMAC-SHA256 of a text with a key, both in UTF-8, as lower-case hexadecimal. */
export function hmacSha256(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
