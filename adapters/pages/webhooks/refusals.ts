import { type Members, memberOf } from '../signed-in/schema.ts'
import type { Visitor } from '../signed-in/session.ts'
import { isOneOf, message } from '../signed-in/visit.ts'
import type { Visited } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** What is said of wrong numbers, by member. */
export function numbersWanted(
  members: Members,
  names: readonly string[],
  { wholeNumber, wholeNumberOrNothing }: WebhookTexts,
): Readonly<Record<string, string>> {
  const wanted = names.map((name) => {
    const { least = 0, most = 0, isNullable } = memberOf(members, name)
    return [name, (isNullable ? wholeNumberOrNothing : wholeNumber)({ least, most })] as const
  })
  return Object.fromEntries(wanted)
}

/** Serves a page, or one that says that it does not exist or is not for this account. */
export async function orMissing(visit: Visited, visitor: Visitor, serve: () => Promise<Response>): Promise<Response> {
  const { missing, forbidden } = visit.setting.webhooks
  try {
    return await serve()
  } catch (error) {
    if (isOneOf(error, 'customer_not_found', 'delivery_not_found', 'webhook_endpoint_not_found'))
      return message(visit, 404, missing, visitor)
    if (isOneOf(error, 'forbidden', 'wrong_account')) return message(visit, 403, forbidden, visitor)
    throw error
  }
}
