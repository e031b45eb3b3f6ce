import * as v from 'valibot'
import type { Code } from './messages/index.ts'
import { refusing } from './schemas.ts'

/** A header that the owner of a URL adds to each request, such as the token of its gateway. */
export interface CustomHeader {
  readonly name: string
  readonly value: string
}

/** The most headers of one URL. */
export const maxCustomHeaders = 10

/** Names of the connection, of the message, of cookies and of what we set ourselves. */
const reserved =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|date|via|forwarded|cookie2?|set-cookie2?|user-agent|accept-encoding|signature(-input)?|traceparent|tracestate|baggage|(content|proxy|sec|x-forwarded|http2|x-webhook|x-ohp|x-open|webhook|ce|gs1)-.*)$/i

/** Whether nobody but the server sets a header of this name. */
export function isReservedHeader(name: string): boolean {
  return reserved.test(name)
}

const name = v.pipe(
  v.string(),
  v.maxLength(100),
  v.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'webhook_header_refused' satisfies Code),
  refusing((text) => (isReservedHeader(text) ? 'webhook_header_refused' : undefined)),
  v.description('Name of the header. Not one of the connection, of the content, of cookies or of the signatures.'),
)

const value = v.pipe(
  v.string(),
  v.maxLength(1024),
  v.regex(/^[!-~]([ -~]*[!-~])?$/, 'webhook_header_value' satisfies Code),
  v.description('Printable ASCII. It is stored encrypted, and never shown again.'),
)

const about = `Headers that each request to the URL has besides those of the server; at most ${maxCustomHeaders}.`

/** Headers with their values. */
export const customHeaders = v.pipe(
  v.array(v.strictObject({ name, value })),
  v.maxLength(maxCustomHeaders),
  distinctNames<CustomHeader>(),
  v.description(about),
)

/** A complete list of headers; those without a value keep theirs. */
export const changedHeaders = v.pipe(
  v.array(
    v.strictObject({
      name,
      value: v.exactOptional(v.pipe(value, v.description('Absent: the value that is set stays.'))),
    }),
  ),
  v.maxLength(maxCustomHeaders),
  distinctNames<ChangedHeader>(),
  v.description('All headers that each request to the URL is to have besides those of the server, as a complete list.'),
)

/** A header in a change; one without a value keeps the value that is set. */
export interface ChangedHeader {
  readonly name: string
  readonly value?: string
}

/** Headers in answers: their names. */
export const headerNames = v.pipe(v.array(v.strictObject({ name: v.string() })), v.description(about))

/** The names of headers. */
export function namesOfHeaders(headers: readonly CustomHeader[] = []): { name: string }[] {
  return headers.map((header) => ({ name: header.name }))
}

/** Whether two headers are the same one: case does not matter. */
export function isSameHeader(one: { readonly name: string }, other: { readonly name: string }): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase()
}

function distinctNames<Header extends { readonly name: string }>() {
  return v.rawCheck<Header[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    for (const [key, header] of input.entries())
      if (input.findIndex((one) => isSameHeader(one, header)) < key)
        addIssue({
          message: 'not_unique' satisfies Code,
          path: [{ type: 'array', origin: 'value', input, key, value: header }],
        })
  })
}
