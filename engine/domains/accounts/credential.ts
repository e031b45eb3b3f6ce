import type { Context } from '../../kernel/context.ts'
import type { Credentials } from '../../kernel/credentials.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { CredentialEvent } from './events.ts'
import { type Loaded, load } from './read.ts'

/** The blinded email of an account. ASCII letters are case-insensitive; all other characters are compared exactly. */
export function blindEmail({ blind }: Pick<Credentials, 'blind'>, email: string): string {
  return blind(`email\0${email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`)
}

/**
 * The stream of a credential. An email has one credential at a time in the whole system, and so one account that signs in with it.
 * Each business may also have one reservation of it, `<hash>.7`, with which nobody signs in.
 */
export function credentialStream(id: string): StreamName {
  return `credential-${id}`
}

/** The state of a credential. */
interface Credential {
  readonly accountId: number
  /** Missing before the first password and after an erasure: it cannot be used to sign in. */
  readonly passwordHash?: string | undefined
  readonly isErased?: true
}

/** The commands of a credential. */
type CredentialCommand =
  | {
      readonly type: 'IssueCredential' | 'RenewCredential'
      readonly at: string
      readonly account_id: number
      /** Missing until the person of an invitation has set one: nobody can sign in until then. */
      readonly password_hash?: string | undefined
    }
  | { readonly type: 'EraseCredential'; readonly at: string; readonly account_id: number }

function decide(command: CredentialCommand, known: Credential | undefined): readonly CredentialEvent[] {
  const { type, at, account_id } = command
  if (type === 'IssueCredential' && known !== undefined) throw new EngineError('email_taken')
  if (type !== 'IssueCredential' && known?.accountId !== account_id) throw new EngineError('account_not_found')
  if (type === 'EraseCredential')
    return known?.isErased === true ? [] : [{ type: 'CredentialErased', data: { at, account_id } }]
  const { password_hash } = command
  const data = { at, account_id, ...(password_hash === undefined ? {} : { personal: { password_hash } }) }
  return [{ type: type === 'IssueCredential' ? 'CredentialIssued' : 'CredentialRenewed', data }]
}

/** The decider of an email address's credential. */
export const credentialsOf: Decider<Credential | undefined, CredentialCommand, CredentialEvent> = {
  initial: () => undefined,
  evolve: (known, { type, data }) => {
    if (type === 'CredentialErased') return { accountId: data.account_id, isErased: true }
    if (type !== 'CredentialIssued' && type !== 'CredentialRenewed') return known
    return { accountId: data.account_id, passwordHash: data.personal?.password_hash }
  },
  decide,
}

/** Whether a credential is a reservation, for an invitation of an email that has an account in another business. */
export function isReservation(id: string): boolean {
  return id.includes('.')
}

/** The current credential of an email, or the place of its next one. */
export interface FoundCredential extends Loaded<Credential | undefined> {
  /** The blinded email, with a number if earlier credentials of the email were erased. */
  readonly id: string
}

/**
 * Finds the credential of an email, or the reservation that a business has of it. The key of an erased one is destroyed for good,
 * so nothing can be sealed in its stream any more: the next credential of the same email has a separate stream.
 */
export async function findCredential(
  { store, credentials }: Pick<Context, 'store' | 'credentials'>,
  email: string,
  business?: number,
): Promise<FoundCredential> {
  const blinded = `${blindEmail(credentials, email)}${business === undefined ? '' : `.${business}`}`
  for (let number = 1; ; number++) {
    const id = number === 1 ? blinded : `${blinded}-${number}`
    const loaded = await load(store, credentialsOf, credentialStream(id))
    if (loaded.state?.isErased !== true) return { id, ...loaded }
  }
}
