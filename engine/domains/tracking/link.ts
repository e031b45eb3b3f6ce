import type { Context } from '../../kernel/context.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The text of a link that opens a timeline until an instant (epoch milliseconds). */
export function linkTo({ credentials }: Pick<Context, 'credentials'>, stream: StreamName, expiresAt: number): string {
  const until = Math.floor(expiresAt / 1_000).toString(36)
  return `${until}.${credentials.sign(signedText(stream, until))}`
}

/** Whether the caller has a link to a timeline that has not expired. */
export function hasLinkTo(
  { credentials, clock, pass }: Pick<Context, 'credentials' | 'clock' | 'pass'>,
  stream: StreamName,
): boolean {
  const [, until = '', signature = ''] = /^([0-9a-z]{1,9})\.([\w-]{1,100})$/.exec(pass?.link ?? '') ?? []
  const isCurrent = Number.parseInt(until, 36) * 1_000 > clock()
  return isCurrent && credentials.isSigned(signedText(stream, until), signature)
}

function signedText(stream: StreamName, until: string): string {
  return `timeline link ${until} ${stream}`
}
