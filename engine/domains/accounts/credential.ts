import type { Credentials } from '../../kernel/credentials.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { CredentialEvent } from './events.ts'

/** The blinded email of an account. ASCII letters are case-insensitive; all other characters are compared exactly. */
export function blindEmail({ blind }: Pick<Credentials, 'blind'>, email: string): string {
  return blind(`email\0${email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`)
}

/**
 * The stream of the credential of a blinded email. An email has one credential, and so one account, in the whole
 * system.
 */
export function credentialStream(blinded: string): StreamName {
  return `credential-${blinded}`
}

/** The state of a credential. */
export interface Credential {
  readonly accountId: number
  /** Missing after an erasure: it can no longer be used to sign in. */
  readonly passwordHash?: string | undefined
}

/** The commands of a credential. */
export type CredentialCommand = {
  readonly type: 'IssueCredential' | 'RenewCredential'
  readonly at: string
  readonly account_id: number
  readonly password_hash: string
}

/** The decider of an email address's credential. */
export const credentialsOf: Decider<Credential | undefined, CredentialCommand, CredentialEvent> = {
  initial: () => undefined,
  evolve: (known, { type, data }) => {
    if (type !== 'CredentialIssued' && type !== 'CredentialRenewed') return known
    return { accountId: data.account_id, passwordHash: data.personal?.password_hash }
  },
  decide: ({ type, at, account_id, password_hash }, known) => {
    const data = { at, account_id, personal: { password_hash } }
    if (type === 'IssueCredential') {
      if (known !== undefined) throw new EngineError('email_taken')
      return [{ type: 'CredentialIssued', data }]
    }
    if (known?.accountId !== account_id) throw new EngineError('account_not_found')
    return [{ type: 'CredentialRenewed', data }]
  },
}
