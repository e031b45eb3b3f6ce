import type { Context } from '../../kernel/context.ts'
import type { SignedOnPerson } from '../../kernel/single-sign-on.ts'
import type { SignOnOrigin } from './events.ts'

/** What is kept of a single sign-on with the session that it begins. */
export function originOf(
  context: Pick<Context, 'credentials'>,
  { issuer, session }: Pick<SignedOnPerson, 'issuer' | 'session'>,
): SignOnOrigin {
  return { issuer, ...(session !== undefined && { session: blindSession(context, issuer, session) }) }
}

/** The blinded `sid` of a session at an identity provider. */
export function blindSession({ credentials }: Pick<Context, 'credentials'>, issuer: string, session: string): string {
  return credentials.blind(`sign-on session\0${issuer}\0${session}`)
}
