import type { EventBase } from '../../../entity/machine.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Decider } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Event } from '../../../kernel/event.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { type Loaded, load } from '../read.ts'
import { ownerOfDomain } from './domain-model.ts'

/** Whether the first sign-in of a person without an account opens one, and of which kind. */
export const newAccounts = ['none', 'driver', 'client_employee'] as const

/** What a business says of its single sign-on, but its secret. */
export interface SignOnValues {
  /** What the button of the sign-in page says after "Sign in with". */
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly scopes: readonly string[]
  /** Whose accounts, with an address of a proved domain, sign in only this way. */
  readonly required_of: 'nobody' | 'staff'
  readonly new_accounts: (typeof newAccounts)[number]
  /** The staff role of new employees. */
  readonly staff_role_id?: number
}

/** The events of the single sign-on of a business. */
export type SignOnEvent =
  | Event<
      'SignOnSet',
      EventBase &
        SignOnValues & {
          readonly business_id: number
          /** Sealed as personal data is, and gone with the setting. */
          readonly personal?: { readonly client_secret: string }
        }
    >
  | Event<'SignOnRemoved', EventBase & { readonly business_id: number }>

/** The single sign-on of a business. */
export interface SignOn extends SignOnValues {
  readonly business_id: number
  readonly client_secret: string
}

/** The state of a stream: it is over once the setting was removed, because its key is destroyed then. */
interface SignOnState {
  readonly signOn?: SignOn
  readonly isOver: boolean
}

type SignOnCommand =
  | (EventBase & {
      readonly type: 'SetSignOn'
      readonly business_id: number
      readonly values: SignOnValues
      /** As before if absent. */
      readonly client_secret?: string | undefined
    })
  | (EventBase & { readonly type: 'RemoveSignOn'; readonly business_id: number })

function decide(command: SignOnCommand, { signOn }: SignOnState): readonly SignOnEvent[] {
  const { at, by, business_id } = command
  if (command.type === 'RemoveSignOn') {
    if (signOn === undefined) throw new EngineError('sign_on_not_found')
    return [{ type: 'SignOnRemoved', data: { at, by, business_id } }]
  }
  const { values } = command
  // A secret is sent to the issuer that it is of, and to no other.
  const isSameClient = signOn?.issuer === values.issuer && signOn.client_id === values.client_id
  const client_secret = command.client_secret ?? (isSameClient ? signOn.client_secret : undefined)
  if (client_secret === undefined)
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'client_secret', code: 'client_secret_missing' }])
  return [{ type: 'SignOnSet', data: { at, by, business_id, ...values, personal: { client_secret } } }]
}

/** The decider of the single sign-on of a business. */
const signOns: Decider<SignOnState, SignOnCommand, SignOnEvent> = {
  initial: () => ({ isOver: false }),
  evolve: (_, { type, data }) => {
    if (type === 'SignOnRemoved') return { isOver: true }
    const { at: _at, by: _by, personal, ...values } = data
    return { isOver: false, signOn: { ...values, client_secret: personal?.client_secret ?? '' } }
  },
  decide,
}

interface FoundSignOn extends Loaded<SignOnState> {
  readonly stream: StreamName
}

/** Finds the single sign-on of a business, or the place of its next one: the key of a removed one is destroyed for good. */
async function find({ store }: Pick<Context, 'store'>, businessId: number): Promise<FoundSignOn> {
  for (let number = 1; ; number++) {
    const stream: StreamName = number === 1 ? `sign_on-${businessId}` : `sign_on-${businessId}-${number}`
    const loaded = await load(store, signOns, stream)
    if (!loaded.state.isOver) return { stream, ...loaded }
  }
}

/** The single sign-on of a business, if it has one. */
export async function signOnOf(context: Pick<Context, 'store'>, businessId: number): Promise<SignOn | undefined> {
  return (await find(context, businessId)).state.signOn
}

/** The single sign-on for a domain of email addresses: that of the business that has proved it. */
export async function signOnForDomain(
  context: Pick<Context, 'store' | 'models'>,
  domain: string,
): Promise<SignOn | undefined> {
  const owner = await ownerOfDomain(context, domain)
  return owner === undefined ? undefined : signOnOf(context, owner)
}

/** Sets or removes the single sign-on of a business. */
export async function changeSignOn(context: Context, command: SignOnCommand): Promise<void> {
  await retryOnConflict(async () => {
    const { stream, state, expected } = await find(context, command.business_id)
    await context.store.append(stream, signOns.decide(command, state).map(toNewEvent(context)), expected)
  })
}

/** Where the issuer of a business sends people back to. Each business has its own address, so that no issuer answers for another. */
export function returnAddress({ baseUrl }: Pick<Context, 'baseUrl'>, businessId: number): string {
  return `${baseUrl}/account/sign-on/${businessId}`
}

/** Where the issuer of a business says that a session has ended (OpenID Connect Back-Channel Logout 1.0, 2.2). */
export function logoutAddress({ baseUrl }: Pick<Context, 'baseUrl'>, businessId: number): string {
  return `${baseUrl}/oauth/backchannel-logout/${businessId}`
}
