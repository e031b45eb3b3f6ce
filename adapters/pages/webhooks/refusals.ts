import { type EngineError, type Finding, isEngineError, messageOf, remark } from '../../../engine/index.ts'
import type { Result } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { isOneOf, message } from '../signed-in/visit.ts'
import type { Visited } from './setting.ts'

/** What is wrong, by the member of a form; the words are those of the page. */
export type Wrong = ReadonlyMap<string, readonly string[]>

/** Nothing is wrong. */
export const nothingWrong: Wrong = new Map()

/** What a page says in the place of the words that a program gets. */
export interface OwnWords {
  /** What can be there at all, by the place. */
  readonly at?: Readonly<Record<string, string>>
  /** Why a URL is refused, by the reason. */
  readonly urlFaults?: Readonly<Record<string, string>>
}

/** The findings of a refusal in words, by the place that each is given. */
export function wrongIn(
  error: EngineError,
  { context }: Visitor,
  placeOf: (finding: Finding) => string,
  own: OwnWords = {},
): Wrong {
  const wrong = new Map<string, readonly string[]>()
  for (const finding of error.findings) {
    const place = placeOf(finding)
    const words = wordsIn(own, place, finding) ?? remark(finding, context.messages).message
    wrong.set(place, [...new Set([...(wrong.get(place) ?? []), words])])
  }
  return wrong
}

function wordsIn({ at = {}, urlFaults = {} }: OwnWords, place: string, { code, params }: Finding): string | undefined {
  if (Object.hasOwn(at, place)) return at[place]
  return code === 'webhook_url_refused' ? urlFaults[String(params?.reason)] : undefined
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
