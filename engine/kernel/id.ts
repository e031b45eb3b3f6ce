import { sha256 } from '#hash'

export { hmacSha256, sha1, sha256 } from '#hash'

/**
 * A deterministic UUID of its parts (RFC 9562, version 8: the first 122 free bits of SHA-256). Parts are joined by
 * NUL, so that different lists give different ids.
 */
export function deriveId(...parts: readonly string[]): string {
  const hex = sha256(parts.join('\0'))
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A deterministic positive integer of its parts, like `deriveId`: 52 bits of SHA-256, exact in JSON. */
export function deriveNumber(...parts: readonly string[]): number {
  return Number.parseInt(sha256(parts.join('\0')).slice(0, 13), 16) + 1
}

/** A text in base64 (UTF-8). */
export function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes of a hexadecimal text in base64. */
export function base64OfHex(hex: string): string {
  const bytes = hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return btoa(String.fromCharCode(...bytes))
}

/** Hexadecimal text in two thirds of its length (base64url); the same texts are equal. */
export function shortHex(hex: string): string {
  return base64OfHex(hex).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The hexadecimal text that `shortHex` made short. */
export function hexOfShort(short: string): string {
  const bytes = atob(short.replaceAll('-', '+').replaceAll('_', '/'))
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
