import { sha256 } from '../../kernel/id.ts'

const length = 8

/** A secret with its checksum, by which a scanner knows a real one: the first eight digits of the SHA-256 of what is before them. */
export function withChecksum(body: string): string {
  return `${body}${sha256(body).slice(0, length)}`
}

/** A secret without its checksum; undefined for a text that does not end with its own. */
export function withoutChecksum(text: string): string | undefined {
  const body = text.slice(0, -length)
  return withChecksum(body) === text ? body : undefined
}
