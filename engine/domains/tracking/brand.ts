import type { Brand } from '../../kernel/brand.ts'
import type { Context } from '../../kernel/context.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { numberOfOpener } from './identifiers.ts'
import { readTimeline } from './read.ts'

/**
 * The brand under which a timeline is shown: that of the business whose order has the number that opened it. What was added to
 * its subject later gives it no brand, because others than its owner may add to it; and a timeline that names orders of
 * several businesses has none.
 */
export async function brandFor(context: Context, stream: StreamName): Promise<Brand | undefined> {
  const { tracking } = context.ports
  const number = numberOfOpener(stream)
  if (number === undefined) return undefined
  const [owner] = await tracking.businessesOf(context, { tracking_number: number })
  if (owner === undefined) return undefined
  const { timeline } = await readTimeline(context, stream)
  const all = await tracking.businessesOf(context, timeline.subject)
  return all.length > 0 && all.every((business) => business === owner) ? tracking.brandOf(context, owner) : undefined
}
