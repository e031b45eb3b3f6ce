import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError, isEngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { email } from '../../../kernel/schemas.ts'
import type { SignedOnPerson } from '../../../kernel/single-sign-on.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { signedOnAccount } from '../bound.ts'
import { requireFirstUse } from '../first-use.ts'
import { openAccount } from '../open.ts'
import { originOf } from '../origin.ts'
import { load } from '../read.ts'
import { mailedName } from '../schema.ts'
import { requireSecondStep, secondStepRefusals } from '../second-step.ts'
import { sessionStream, sessions } from '../session.ts'
import { newSession, tokenEntries } from '../sign-in.ts'
import { requireStaffRole } from '../staff-roles.ts'
import { domainIn } from './domains.ts'
import { returnAddress, type SignOn, signOnForDomain, signOnOf } from './setting.ts'
import { pageLeft, sealSignOn, signOnTicketIn } from './ticket.ts'

const tag = 'User'

/** Sends a person to the identity provider of the business that has the domain of the address. */
export const beginSignOn = operation({
  name: 'begin_sign_on',
  summary:
    'The address of the identity provider for an email address, and the ticket with which its person comes back.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  input: v.strictObject({ email, page: pageLeft }),
  output: v.strictObject({ result: v.literal(true), url: v.string(), ticket: v.string() }),
  errors: ['sign_on_not_found', 'identity_provider_unavailable'],
  handle: async (context, { email: address, page }) => {
    const signOn = await signOnForDomain(context, domainIn(address))
    if (signOn === undefined) throw new EngineError('sign_on_not_found')
    const { business_id, issuer, client_id: clientId, scopes } = signOn
    const { ticket, text } = sealSignOn(context, signOn, page)
    const { state, nonce, verifier } = ticket
    const redirectUri = returnAddress(context, business_id)
    const client = { issuer, clientId, redirectUri, verifier, nonce }
    const url = await context.singleSignOn.address({ ...client, scopes, state, email: address })
    return { result: true, url, ticket: text }
  },
})

/** Signs in a person who comes back from the identity provider. */
export const finishSignOn = operation({
  name: 'finish_sign_on',
  summary: 'Sign in with the code of the identity provider of a business, in the browser that was sent there.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  ids: { business_id: 'rule' },
  input: v.strictObject({
    business_id: v.number(),
    ticket: v.pipe(v.string(), v.maxLength(6_000)),
    state: v.pipe(v.string(), v.maxLength(200)),
    code: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000)),
  }),
  output: v.strictObject(tokenEntries),
  errors: [
    ...(['sign_on_not_valid', 'sign_on_address_refused', 'sign_on_without_account', 'binding_conflict'] as const),
    ...(['invalid_id_token', 'identity_provider_unavailable', 'staff_role_not_found', 'too_busy'] as const),
    ...secondStepRefusals,
  ],
  audited: {
    event: () => 'sign_in',
    concerned: async ({ store }, { business_id: business }, answer) => {
      const token = answer?.access_token
      const session = typeof token === 'string' && (await load(store, sessions, sessionStream(token))).state
      return { way: 'sign_on', business, ...(session && { account: session.accountId }) }
    },
  },
  handle: async (context, { business_id, ticket: text, state, code }) => {
    const ticket = signOnTicketIn(context, text)
    const signOn = await signOnOf(context, business_id)
    const isOurs = ticket?.business === business_id && ticket.state === state
    if (!isOurs || signOn?.issuer !== ticket.issuer || signOn.client_id !== ticket.client)
      throw new EngineError('sign_on_not_valid')
    const { issuer, client_id: clientId, client_secret: clientSecret } = signOn
    const redirectUri = returnAddress(context, business_id)
    const { verifier, nonce } = ticket
    const client = { issuer, clientId, clientSecret, redirectUri, verifier, nonce }
    const person = await context.singleSignOn.identify({ ...client, code })
    await requireFirstUse(context, `sign-on\0${state}`, 'sign_on_not_valid')
    return retryOnConflict(async () => {
      const { account, appends } = await accountFor(context, signOn, person)
      await requireSecondStep(context, account, { identity: identityOf(person) })
      const { append, answer } = newSession(context, account, { signOn: originOf(context, person) })
      await context.store.appendMany([...appends, append])
      return answer
    })
  },
})

function identityOf({ name: _, ...identity }: SignedOnPerson) {
  return identity
}

/** The account of a person, which is opened if there is none and the business wants that. */
async function accountFor(context: Context, signOn: SignOn, person: SignedOnPerson) {
  try {
    return await signedOnAccount(context, signOn.business_id, person)
  } catch (error) {
    if (signOn.new_accounts === 'none' || !isEngineError(error, 'registration_required')) throw asSignOn(error)
    await openFor(context, signOn, person)
    return signedOnAccount(context, signOn.business_id, person)
  }
}

/** Nobody learns whether there is no account, or one that is disabled. */
function asSignOn(error: unknown): unknown {
  const isWithout = isEngineError(error, 'registration_required') || isEngineError(error, 'invalid_id_token')
  return isWithout ? new EngineError('sign_on_without_account') : error
}

async function openFor(context: Context, signOn: SignOn, person: SignedOnPerson): Promise<void> {
  const { business_id: business, new_accounts: role, staff_role_id } = signOn
  const { email: address = '', name: told } = person
  const name = v.is(mailedName, told) ? told : (address.split('@')[0] ?? '')
  if (role === 'none') return
  if (staff_role_id !== undefined) await requireStaffRole(context, business, staff_role_id)
  const narrowed = staff_role_id === undefined ? {} : { staff_role_id }
  await openAccount(context, { business, role, email: address, name, isInvited: false, ...narrowed }, null)
}
