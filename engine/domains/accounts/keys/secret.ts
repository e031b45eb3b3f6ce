import type { Credentials } from '../../../kernel/credentials.ts'
import { sha256 } from '../../../kernel/id.ts'

const form = /^(otk_(\d{1,15})_[0-9a-f]{64})([0-9a-f]{8})$/

/** A new API key: `otk_`, its id, 32 random bytes, and a checksum by which a scanner knows a real one. */
export function newApiKey({ token }: Pick<Credentials, 'token'>, id: number): string {
  const body = `otk_${id}_${token()}`
  return `${body}${checksumOf(body)}`
}

/** The id in a text that has the form and the checksum of an API key; undefined for any other text. */
export function apiKeyIdIn(text: string): number | undefined {
  const [, body = '', id, checksum] = form.exec(text) ?? []
  return checksum !== undefined && checksum === checksumOf(body) ? Number(id) : undefined
}

/** The first eight digits of the SHA-256 of what is before them. */
function checksumOf(body: string): string {
  return sha256(body).slice(0, 8)
}
