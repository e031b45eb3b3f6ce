import { instantOf, type RecordedEvent } from '../../engine/index.ts'
import { isDeferred } from '../node/mail.ts'

/**
 * Milliseconds for which all e-mails of a policy wait for one that the server does not take now: longer than servers put off a
 * sender that they do not know.
 */
const patience = 15 * 60_000

/** Whether the server has put off an e-mail about an event, and it alone, for so long that the others wait for it no more. */
export function isPutOffForLong(
  error: unknown,
  { recordedAt }: Pick<RecordedEvent, 'recordedAt'>,
  now: number,
): boolean {
  return isDeferred(error) && now - instantOf(recordedAt) >= patience
}
