import type { EventBase } from '../../../entity/machine.ts'
import type { Event } from '../../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../../kernel/event-shape.ts'
import type { Passkey } from '../../../kernel/second-factor.ts'

/** What proves, beside a password, that somebody is the owner of an account. */
export type FactorKind = 'authenticator' | 'passkey'

/** What a second factor tells of a person, and what would sign in as one: sealed in the store, and erased with the account. */
export interface FactorSecrets {
  readonly name: string
  /** Of an authenticator app, in Base32. */
  readonly secret?: string
  readonly passkey?: Pick<Passkey, 'credential' | 'public_key' | 'transports'>
}

/** SHA-256 of the challenge of the ticket that was used; events of earlier versions have it for passkeys alone. */
type UsedTicket = string

type One = { readonly at: string; readonly account_id: number }

/** The events of the second factors of an account. */
export type FactorEvent =
  | Event<
      'FactorAdded',
      EventBase & {
        readonly account_id: number
        readonly factor_id: number
        readonly kind: FactorKind
        /** The 30 seconds of the code that confirmed an authenticator app. */
        readonly step?: number
        /** Of a passkey. */
        readonly counter?: number
        readonly challenge?: UsedTicket
        readonly personal?: FactorSecrets
      }
    >
  /** It signed in: what it proved once, it does not prove again. */
  | Event<
      'FactorUsed',
      One & {
        readonly factor_id: number
        readonly step?: number
        readonly counter?: number
        readonly challenge?: UsedTicket
      }
    >
  | Event<'FactorRemoved', EventBase & { readonly account_id: number; readonly factor_id: number }>
  /** Somebody else removed all of them, and the recovery codes, because their owner had lost them. */
  | Event<'FactorsRemoved', EventBase & { readonly account_id: number }>
  /** They replace earlier ones. */
  | Event<
      'RecoveryCodesMade',
      EventBase & { readonly account_id: number; readonly personal?: { readonly hashes: readonly string[] } }
    >
  /** `code` is its place among those that were made. */
  | Event<'RecoveryCodeUsed', One & { readonly code: number; readonly challenge?: UsedTicket }>
  /** The password was right, and the code of an authenticator app was not. */
  | Event<'CodeRefused', One>
  | Event<'FactorsErased', One>

/** The account of a passkey: it is never that of another one. */
export type PasskeyTaken = Event<'PasskeyTaken', One>

/** The shapes of the events of second factors. */
export const factorEventShapes: ShapesOf<FactorEvent> = {
  FactorAdded: {
    ...stamped,
    account_id: 'number',
    factor_id: 'number',
    kind: 'text',
    step: 'number?',
    counter: 'number?',
    challenge: 'text?',
  },
  FactorUsed: {
    at: 'text',
    account_id: 'number',
    factor_id: 'number',
    step: 'number?',
    counter: 'number?',
    challenge: 'text?',
  },
  FactorRemoved: { ...stamped, account_id: 'number', factor_id: 'number' },
  FactorsRemoved: { ...stamped, account_id: 'number' },
  RecoveryCodesMade: { ...stamped, account_id: 'number' },
  RecoveryCodeUsed: { at: 'text', account_id: 'number', code: 'number', challenge: 'text?' },
  CodeRefused: { at: 'text', account_id: 'number' },
  FactorsErased: { at: 'text', account_id: 'number' },
}

/** The shape of the event of a passkey. */
export const passkeyEventShapes: ShapesOf<PasskeyTaken> = {
  PasskeyTaken: { at: 'text', account_id: 'number' },
}
