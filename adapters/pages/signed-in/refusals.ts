import { html } from 'hono/html'
import { type EngineError, type Finding, isEngineError, messageOf, remark } from '../../../engine/index.ts'
import type { Html } from '../words.ts'
import type { Result } from './layout.ts'
import type { Visitor } from './session.ts'
import { isOneOf } from './visit.ts'

/** The errors of a form, by form field: in the words of the page as HTML, or as the server says them. */
export type Wrong = ReadonlyMap<string, readonly (string | Html)[]>

/** No errors. */
export const nothingWrong: Wrong = new Map()

/** Messages of a page that replace those of the API. */
interface OwnWords {
  /** The expected value, by form field. */
  readonly at?: Readonly<Record<string, string>>
  /** Why a URL is refused, by reason. */
  readonly urlFaults?: Readonly<Record<string, string>>
}

/** The messages of a refusal, by the form field to which each finding belongs. */
export function wrongIn(
  error: EngineError,
  { context }: Visitor,
  placeOf: (finding: Finding) => string,
  own: OwnWords = {},
): Wrong {
  const wrong = new Map<string, readonly (string | Html)[]>()
  for (const finding of error.findings) {
    const place = placeOf(finding)
    const ownWords = wordsIn(own, place, finding)
    const words = ownWords === undefined ? remark(finding, context.messages).message : html`${ownWords}`
    const known = wrong.get(place) ?? []
    if (!known.some((one) => String(one) === String(words))) wrong.set(place, [...known, words])
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
  return { kind: 'bad', text: [...new Set(words)].join(' ') }
}

/** Returns an error that a page can show as a refusal; throws any other. */
export function refusalIn(error: unknown): EngineError {
  if (!isEngineError(error) || isOneOf(error, 'internal', 'store_unavailable', 'too_busy')) throw error
  return error
}

/** The HTTP status of a page that shows a refusal. */
export function statusFor(error: EngineError): number {
  if (isOneOf(error, 'forbidden', 'wrong_account')) return 403
  if (isOneOf(error, 'invalid_input')) return 422
  return isOneOf(error, 'too_many_sends') ? 429 : 409
}
