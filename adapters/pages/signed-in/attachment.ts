import type { Answering } from '../answer.ts'

/** A file that browsers save under its name. */
export function attachment(
  answering: Pick<Answering, 'file'>,
  { type, base64, name }: { readonly type: string; readonly base64: string; readonly name: string },
): Response {
  const file = answering.file({ type, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) })
  file.headers.set('Content-Disposition', `attachment; filename="${name}"`)
  return file
}
