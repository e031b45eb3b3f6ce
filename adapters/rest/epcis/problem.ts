import { EngineError, isEngineError, messageOf } from '../../../engine/index.ts'
import { writeXml } from '../../../projections/shared/xml.ts'
import { baseHeaders, challenge } from '../../http/headers.ts'
import { retryHeaders } from '../../http/retry.ts'
import type { OpenRequest } from '../../node/gateway.ts'
import { publicHeaders } from '../respond.ts'
import { statusOf } from '../status.ts'
import { captureHeaders } from './call.ts'

/** The body of a refusal (RFC 7807), with the types of EPCIS 2.0. */
interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
}

/** The exceptions of the standard, by code. */
const exceptions: Readonly<Record<string, readonly [type: string, status: number]>> = {
  query_parameter_refused: ['QueryParameterException', 400],
  query_parameter_not_offered: ['ImplementationException', 501],
  query_too_large: ['QueryTooLargeException', 413],
  epcis_header_refused: ['NotAcceptableException', 406],
  header_not_accepted: ['NotAcceptableException', 406],
  timeline_not_found: ['NoSuchNameException', 404],
  route_not_found: ['NoSuchResourceException', 404],
  epcis_subscription_refused: ['SubscriptionControlsException', 400],
  webhook_url_refused: ['ValidationException', 400],
  epcis_query_exists: ['ResourceAlreadyExistsException', 409],
  event_id_conflict: ['ResourceAlreadyExistsException', 409],
  event_id_reused: ['ResourceAlreadyExistsException', 409],
  invalid_input: ['ValidationException', 400],
}

/** The exceptions of the standard, by status. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'SecurityException',
  403: 'SecurityException',
  404: 'NoSuchNameException',
  406: 'NotAcceptableException',
  409: 'ResourceAlreadyExistsException',
  413: 'CaptureLimitExceededException',
  414: 'URITooLongException',
  415: 'UnsupportedMediaTypeException',
  422: 'ValidationException',
}

/** The most findings in the detail of a problem. */
const maxNamed = 20

/** A status that has no exception in the standard is its own type (RFC 7807, section 4.2). */
function typeOf(name: string | undefined, status: number): string {
  const exception = name ?? byStatus[status] ?? (status < 500 ? undefined : 'ImplementationException')
  return exception === undefined ? 'about:blank' : `epcisException:${exception}`
}

/** The response to an error. Unexpected errors are logged, and the response contains only the request id. */
export function problemResponse(
  error: unknown,
  { context, report }: OpenRequest,
  { isXml, captures }: { readonly isXml: boolean; readonly captures: boolean },
): Response {
  const isKnown = isEngineError(error) && error.code !== 'internal'
  if (!isKnown || error.code === 'damaged') report(error)
  const known = isKnown ? error : new EngineError('internal', { request: context.requestId })
  const { code, params, findings } = known
  const [name, status] = exceptions[code] ?? [undefined, statusOf(code)]
  const named = findings.slice(0, maxNamed).map(({ path, code: what }) => `${path} ${what}`.trim())
  const problem: Problem = {
    type: typeOf(name, status),
    title: messageOf(code, params, context.messages),
    status,
    ...(named.length > 0 && { detail: named.join('; ') }),
  }
  const headers = {
    ...{ ...baseHeaders, ...publicHeaders, 'Cache-Control': 'no-store', 'X-Request-Id': context.requestId },
    ...(status === 401 && challenge),
    ...(status === 405 && { Allow: String(params.expected) }),
    ...(status === 413 && captures && captureHeaders),
    ...retryHeaders(status, known),
    'Content-Type': isXml ? 'application/problem+xml' : 'application/problem+json',
  }
  return new Response(isXml ? inXml(problem) : JSON.stringify(problem), { status, headers })
}

function inXml({ type, title, status, detail }: Problem): string {
  const element = (name: string, text: string) => ({ name, children: [text] })
  return writeXml({
    name: 'epcis:EPCISException',
    attributes: { 'xmlns:epcis': 'urn:epcglobal:epcis:xsd:2' },
    children: [
      element('type', type),
      element('title', title),
      element('status', String(status)),
      ...(detail === undefined ? [] : [element('detail', detail)]),
    ],
  })
}
