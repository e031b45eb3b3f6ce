import { hmac } from '@noble/hashes/hmac.js'
import { sha1 as hashSha1 } from '@noble/hashes/legacy.js'
import { sha256 as hashSha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-256 of a text in UTF-8, as lower-case hexadecimal. */
export function sha256(text: string): string {
  return bytesToHex(hashSha256(utf8ToBytes(text)))
}

/** SHA-1 of bytes, as lower-case hexadecimal. */
export function sha1(bytes: Uint8Array): string {
  return bytesToHex(hashSha1(bytes))
}

/** HMAC-SHA256 of a text with a key, both in UTF-8, as lower-case hexadecimal. */
export function hmacSha256(key: string, text: string): string {
  return bytesToHex(hmac(hashSha256, utf8ToBytes(key), utf8ToBytes(text)))
}
