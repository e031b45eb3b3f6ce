import { type EngineError, isEngineError, messageOf, remark } from '../../../engine/index.ts'
import type { Result } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { isOneOf, message } from '../signed-in/visit.ts'
import type { Visited } from './setting.ts'

/** What is wrong, by the member of a form; the words are those of the page. */
export type Wrong = ReadonlyMap<string, readonly string[]>

/** Nothing is wrong. */
export const nothingWrong: Wrong = new Map()

/** The findings of a refusal in words, by the place that each is given. */
export function wrongIn(
  error: EngineError,
  { context }: Visitor,
  placeOf: (finding: EngineError['findings'][number]) => string,
): Wrong {
  const wrong = new Map<string, readonly string[]>()
  for (const finding of error.findings) {
    const place = placeOf(finding)
    wrong.set(place, [...(wrong.get(place) ?? []), remark(finding, context.messages).message])
  }
  return wrong
}

/** A refusal above the content of a page. */
export function refusalOf(error: EngineError, { context }: Visitor): Result {
  const found = error.findings.map((finding) => remark(finding, context.messages).message)
  const words = found.length > 0 ? found : [messageOf(error.code, error.params, context.messages)]
  return { kind: 'bad', text: words.join(' ') }
}

/** An error as a refusal that the page it came from can tell; any other is thrown on. */
export function refusalIn(error: unknown): EngineError {
  if (!isEngineError(error) || isOneOf(error, 'internal', 'store_unavailable', 'too_busy')) throw error
  return error
}

/** The status that a page with a refusal has. */
export function statusFor(error: EngineError): number {
  if (isOneOf(error, 'forbidden', 'wrong_account')) return 403
  if (isOneOf(error, 'invalid_input')) return 422
  return isOneOf(error, 'too_many_sends') ? 429 : 409
}

/** Serves a page, or says that there is none, or none for this account. */
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
