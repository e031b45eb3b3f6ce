import type { Credentials } from '../../../kernel/credentials.ts'
import { withChecksum, withoutChecksum } from '../checksum.ts'

const form = /^otk_(\d{1,15})_[0-9a-f]{64}$/

/** A new API key: `otk_`, its id, 32 random bytes, and a checksum. */
export function newApiKey({ token }: Pick<Credentials, 'token'>, id: number): string {
  return withChecksum(`otk_${id}_${token()}`)
}

/** The id in a text that has the form and the checksum of an API key; undefined for any other text. */
export function apiKeyIdIn(text: string): number | undefined {
  const [, id] = form.exec(withoutChecksum(text) ?? '') ?? []
  return id === undefined ? undefined : Number(id)
}
