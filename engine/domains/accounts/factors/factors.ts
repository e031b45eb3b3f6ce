import type { EventBase } from '../../../entity/machine.ts'
import type { Decider, Reducer } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Passkey } from '../../../kernel/second-factor.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import type { FactorEvent, FactorKind, FactorSecrets } from './events.ts'

/** The stream of the second factors of an account. */
export function factorStream(account: number): StreamName {
  return `factors-${account}`
}

/** One second factor. */
export interface Factor {
  readonly id: number
  readonly kind: FactorKind
  readonly name: string
  readonly addedAt: string
  readonly usedAt?: string
  /** Of an authenticator app. */
  readonly secret?: string | undefined
  /** The latest 30 seconds of which a code was accepted. */
  readonly step?: number
  readonly passkey?: Passkey | undefined
}

/** The second factors of an account. */
export interface Factors {
  /** How many there ever were. */
  readonly made: number
  readonly list: readonly Factor[]
  /** The recovery codes that are left: their hashes by their place. */
  readonly codes: ReadonlyMap<number, string>
  /** Wrong codes since the last right one, and when the latest was. */
  readonly wrong: number
  readonly wrongAt?: string
  /** The challenges of tickets that were used; those of an hour ago have run out anyway. */
  readonly answered: readonly { readonly challenge: string; readonly at: string }[]
  readonly isErased: boolean
}

/** What a ticket lets its owner do once: `challenge` is the SHA-256 of the ticket's. Refusal: `ticket_not_valid`. */
interface ByTicket {
  readonly at: string
  readonly challenge: string
}

/** The commands of the second factors of an account. */
export type FactorCommand = { readonly account_id: number } & (
  | (EventBase &
      ByTicket & { readonly type: 'AddAuthenticator'; readonly step: number; readonly personal: FactorSecrets })
  /** Refusal: `passkey_exists`, `too_many_passkeys`. */
  | (EventBase & ByTicket & { readonly type: 'AddPasskey'; readonly name: string; readonly passkey: Passkey })
  /** Refusal: `factor_not_found`. */
  | (EventBase & { readonly type: 'RemoveFactor'; readonly factor_id: number })
  | (EventBase & { readonly type: 'RemoveFactors' })
  | (EventBase & { readonly type: 'MakeRecoveryCodes'; readonly hashes: readonly string[] })
  /** `step` is missing if the code is of none. A wrong one is a fact; too many of them are refused: `too_many_attempts`. */
  | (ByTicket & { readonly type: 'TakeCode'; readonly factor_id: number; readonly step: number | undefined })
  /** Refusal: `wrong_code`. */
  | (ByTicket & { readonly type: 'TakeRecoveryCode'; readonly hash: string })
  /** Refusal: `wrong_code`, for a counter that does not go on. */
  | (ByTicket & { readonly type: 'TakePasskey'; readonly factor_id: number; readonly counter: number })
  | { readonly type: 'EraseFactors'; readonly at: string }
)

/** The most passkeys of an account. */
const mostPasskeys = 10

const hour = 3_600_000

/** After `free` wrong codes in a row there is a wait, doubled by each further one; in milliseconds. */
const waits = { free: 5, first: 30_000, longest: hour }

/** Epoch milliseconds until which no code is looked at. */
export function waitsUntil({ wrong, wrongAt }: Pick<Factors, 'wrong' | 'wrongAt'>): number {
  if (wrongAt === undefined || wrong < waits.free) return 0
  return Date.parse(wrongAt) + Math.min(waits.longest, waits.first * 2 ** (wrong - waits.free))
}

/** Whether the owner has to be notified of wrong codes: the person who enters them knows the password. */
export function isAlarming({ wrong }: Pick<Factors, 'wrong'>): boolean {
  return wrong === waits.free
}

const none: Factors = { made: 0, list: [], codes: new Map(), wrong: 0, answered: [], isErased: false }

const evolve: Reducer<Factors, FactorEvent> = (state, { type, data }) => {
  switch (type) {
    case 'FactorAdded':
      return {
        ...state,
        made: data.factor_id,
        list: [...state.list, factorOf(data)],
        answered: answeredAfter(state, data),
      }
    case 'FactorUsed':
      return used(state, data)
    case 'FactorRemoved':
      return { ...state, list: state.list.filter(({ id }) => id !== data.factor_id) }
    case 'FactorsRemoved':
      return { ...none, made: state.made }
    case 'RecoveryCodesMade':
      return { ...state, codes: new Map((data.personal?.hashes ?? []).entries()) }
    case 'RecoveryCodeUsed':
      return {
        ...{ ...state, ...quiet, answered: answeredAfter(state, data) },
        codes: new Map([...state.codes].filter(([place]) => place !== data.code)),
      }
    case 'CodeRefused':
      return { ...state, wrong: state.wrong + 1, wrongAt: data.at }
    case 'FactorsErased':
      return { ...none, made: state.made, isErased: true }
    default:
      return state
  }
}

const quiet = { wrong: 0 } as const

function factorOf(data: Extract<FactorEvent, { type: 'FactorAdded' }>['data']): Factor {
  const { factor_id: id, kind, at: addedAt, step, counter = 0, personal: { name = '', secret, passkey } = {} } = data
  return {
    ...{ id, kind, name, addedAt, secret },
    ...(step !== undefined && { step }),
    passkey: passkey && { ...passkey, counter },
  }
}

function used(state: Factors, data: Extract<FactorEvent, { type: 'FactorUsed' }>['data']): Factors {
  const { factor_id, at: usedAt, step, counter } = data
  const list = state.list.map((factor) =>
    factor.id !== factor_id
      ? factor
      : {
          ...factor,
          usedAt,
          ...(step !== undefined && { step }),
          passkey: factor.passkey && { ...factor.passkey, counter: counter ?? factor.passkey.counter },
        },
  )
  return { ...state, ...quiet, list, answered: answeredAfter(state, data) }
}

function answeredAfter(
  { answered }: Factors,
  { at, challenge }: { readonly at: string; readonly challenge?: string },
): Factors['answered'] {
  const recent = answered.filter((one) => Date.parse(one.at) > Date.parse(at) - hour)
  return challenge === undefined ? recent : [...recent, { challenge, at }]
}

function decide(command: FactorCommand, state: Factors): readonly FactorEvent[] {
  const { at, account_id } = command
  if (command.type === 'EraseFactors')
    return state.isErased || state.made === 0 ? [] : [{ type: 'FactorsErased', data: { at, account_id } }]
  if (state.isErased) throw new EngineError('account_erased')
  if ('challenge' in command && state.answered.some(({ challenge }) => challenge === command.challenge))
    throw new EngineError('ticket_not_valid')
  switch (command.type) {
    case 'AddAuthenticator':
      return addAuthenticator(command, state)
    case 'AddPasskey':
      return addPasskey(command, state)
    case 'RemoveFactor': {
      const { factor_id, by } = command
      if (!state.list.some(({ id }) => id === factor_id)) throw new EngineError('factor_not_found')
      return [{ type: 'FactorRemoved', data: { at, by, account_id, factor_id } }]
    }
    case 'RemoveFactors':
      return state.list.length === 0 ? [] : [{ type: 'FactorsRemoved', data: { at, by: command.by, account_id } }]
    case 'MakeRecoveryCodes': {
      const { by, hashes } = command
      return [{ type: 'RecoveryCodesMade', data: { at, by, account_id, personal: { hashes } } }]
    }
    case 'TakeCode':
      return takeCode(command, state)
    case 'TakeRecoveryCode': {
      const [code] = [...state.codes].find(([, hash]) => hash === command.hash) ?? []
      if (code === undefined) throw new EngineError('wrong_code')
      return [{ type: 'RecoveryCodeUsed', data: { at, account_id, code, challenge: command.challenge } }]
    }
    case 'TakePasskey':
      return takePasskey(command, state)
    default:
      return command satisfies never
  }
}

type Of<Type extends FactorCommand['type']> = FactorCommand & { readonly type: Type }

/** An account has one authenticator app: another takes its place. */
function addAuthenticator(command: Of<'AddAuthenticator'>, { made, list }: Factors) {
  const { at, by, account_id, step, challenge, personal } = command
  const replaced = list.filter(({ kind }) => kind === 'authenticator')
  const base = { at, by, account_id }
  return [
    ...replaced.map(({ id }): FactorEvent => ({ type: 'FactorRemoved', data: { ...base, factor_id: id } })),
    { type: 'FactorAdded', data: { ...base, factor_id: made + 1, kind: 'authenticator', step, challenge, personal } },
  ] as const satisfies readonly FactorEvent[]
}

function addPasskey(command: Of<'AddPasskey'>, state: Factors): readonly FactorEvent[] {
  const { at, by, account_id, name, passkey, challenge } = command
  const { counter, credential, public_key, transports } = passkey
  const passkeys = state.list.filter(({ kind }) => kind === 'passkey')
  if (passkeys.some((known) => known.passkey?.credential === credential)) throw new EngineError('passkey_exists')
  if (passkeys.length >= mostPasskeys) throw new EngineError('too_many_passkeys', { limit: mostPasskeys })
  const personal = { name, passkey: { credential, public_key, transports } }
  const data = { at, by, account_id, factor_id: state.made + 1, kind: 'passkey' as const, counter, challenge, personal }
  return [{ type: 'FactorAdded', data }]
}

function takeCode(command: Of<'TakeCode'>, state: Factors): readonly FactorEvent[] {
  const { at, account_id, factor_id, step, challenge } = command
  const left = waitsUntil(state) - Date.parse(at)
  if (left > 0) throw new EngineError('too_many_attempts', { seconds: Math.ceil(left / 1000) })
  const factor = state.list.find(({ id }) => id === factor_id)
  if (factor === undefined) throw new EngineError('wrong_code')
  if (step === undefined || step <= (factor.step ?? 0)) return [{ type: 'CodeRefused', data: { at, account_id } }]
  return [{ type: 'FactorUsed', data: { at, account_id, factor_id, step, challenge } }]
}

function takePasskey(command: Of<'TakePasskey'>, { list }: Factors): readonly FactorEvent[] {
  const { at, account_id, factor_id, counter, challenge } = command
  const known = list.find(({ id }) => id === factor_id)?.passkey
  const goesOn = known !== undefined && (counter > known.counter || (counter === 0 && known.counter === 0))
  if (!goesOn) throw new EngineError('wrong_code')
  return [{ type: 'FactorUsed', data: { at, account_id, factor_id, counter, challenge } }]
}

/** The decider of the second factors of an account. */
export const factorsOf: Decider<Factors, FactorCommand, FactorEvent> = { initial: () => none, evolve, decide }
