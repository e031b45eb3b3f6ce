import * as v from 'valibot'
import { type Context, unsealed } from '../../../engine/index.ts'

const text = v.string()

const asked = v.strictObject({
  /** Other texts that are sealed have none of it. */
  kind: v.literal('grant request'),
  client_id: text,
  client_name: text,
  /** The host that the metadata of the client came from, if they did. */
  client_host: v.optional(text),
  redirect_uri: text,
  state: v.optional(text),
  challenge: text,
  resource: text,
  scopes: v.array(text),
  /** Epoch milliseconds. */
  until: v.number(),
})

/** A checked request of a program, on its way from the first address to the question and back from it. */
export type Asked = Omit<v.InferOutput<typeof asked>, 'kind' | 'until'>

/** Milliseconds for signing in and deciding. */
const patience = 15 * 60_000

type Parts = Pick<Context, 'credentials' | 'clock'>

/** Seals a request, so that nobody can change what was checked; every node with the secret can read it. */
export function sealed({ credentials, clock }: Parts, request: Asked): string {
  return credentials.seal(JSON.stringify({ kind: 'grant request', ...request, until: clock() + patience }))
}

/** The request in a sealed text; undefined if it is none of ours or too old. */
export function requestIn(parts: Parts, text: string): Asked | undefined {
  const opened = unsealed(parts, asked, text)
  if (opened === undefined) return undefined
  const { kind: _, until: __, ...request } = opened
  return request
}

/** The address of an answer to a program: its redirect URI with the issuer (RFC 9207) and the state that it sent. */
export function answerAddress(
  { redirect_uri, state }: Pick<Asked, 'redirect_uri' | 'state'>,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query}`
}
