import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { unsealed } from '../../../kernel/sealed-text.ts'
import type { SignOn } from './setting.ts'

/** Milliseconds that a person has to come back from the identity provider. */
export const signOnTime = 600_000

/** The page that a person left: its area, and the place in it. */
export const pageLeft = v.strictObject({
  home: v.pipe(v.string(), v.maxLength(200)),
  place: v.exactOptional(v.pipe(v.string(), v.maxLength(2_000))),
})

const contents = v.strictObject({
  purpose: v.literal('sign_on'),
  until: v.number(),
  business: v.number(),
  issuer: v.string(),
  client: v.string(),
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  page: pageLeft,
})

/** What the browser keeps of a sign-in while its person is at the identity provider. */
type SignOnTicket = v.InferOutput<typeof contents>

/** A ticket for a person who is sent to the identity provider, and its text: sealed, and kept by the browser alone. */
export function sealSignOn(
  { credentials, clock }: Context,
  { business_id: business, issuer, client_id: client }: SignOn,
  page: SignOnTicket['page'],
): { readonly ticket: SignOnTicket; readonly text: string } {
  const ticket: SignOnTicket = {
    ...{ purpose: 'sign_on', until: clock() + signOnTime, business, issuer, client, page },
    ...{ state: credentials.token(), nonce: credentials.token(), verifier: credentials.token() },
  }
  return { ticket, text: credentials.seal(JSON.stringify(ticket)) }
}

const signedOut = v.strictObject({
  purpose: v.literal('signed_out'),
  until: v.number(),
  home: v.string(),
  name: v.string(),
})

/** What a person comes back with who has signed out at the identity provider, too: where the sign-out began, and the provider's name. */
type SignedOut = Pick<v.InferOutput<typeof signedOut>, 'home' | 'name'>

/** The state of a sign-out, sealed. */
export function sealSignedOut({ credentials, clock }: Context, { home, name }: SignedOut): string {
  return credentials.seal(JSON.stringify({ purpose: 'signed_out', until: clock() + signOnTime, home, name }))
}

/** What a text says that this server sealed for a sign-out which is not over; undefined for any other. */
export function signedOutIn(context: Context, text: string): SignedOut | undefined {
  return unsealed(context, signedOut, text)
}

/** What a text says that this server sealed for a sign-in which is not over; undefined for any other. */
export function signOnTicketIn(context: Context, text: string): SignOnTicket | undefined {
  return unsealed(context, contents, text)
}
