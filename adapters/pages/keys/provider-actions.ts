import {
  addOwnProvider,
  isEngineError,
  listOwnProviders,
  revokeOwnProvider,
  rotateOwnProviderKey,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { isOneOf, message } from '../signed-in/visit.ts'
import { dayChoices } from './keys.ts'
import { overlapIn, refusedWith } from './parts.ts'
import { askAboutProvider, providersPage, type ShownProviders } from './providers.ts'
import { providersHome, type Visited } from './setting.ts'

const empty = { name: '', days: 365 }

/** Shows the providers that report for the business alone. */
export function showProviders(visit: Visited, visitor: Visitor): Promise<Response> {
  const [said] = confirmationIn(visit.request, visitor)
  const text = visit.setting.keys.providers.revoked
  return providersWith(visit, visitor, 200, said === 'revoked' ? { result: { kind: 'good', text } } : {})
}

async function providersWith(
  visit: Visited,
  visitor: Visitor,
  status: number,
  more: Partial<ShownProviders>,
): Promise<Response> {
  const { answering, setting } = visit
  if (!may(visitor, listOwnProviders)) return message(visit, 403, setting.keys.mayNot, visitor)
  const { providers } = await outputOf(listOwnProviders, visitor, {})
  return answering.page(status, providersPage({ providers, entered: empty, ...more }, visitor, setting))
}

/** Adds a provider, and shows its key once: the answer to the form has it, and no other page. */
export async function addProviderByForm(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const name = (form.get('name') ?? '').trim()
  const days = dayChoices.find((one) => String(one) === form.get('days'))
  return attempt(visit, visitor, { name, days }, async () => {
    const input = { name, ...(days !== undefined && { expires_in_hours: days * 24 }) }
    const { key } = await outputOf(addOwnProvider, visitor, input)
    const text = visit.setting.keys.providers.made({ name })
    return providersWith(visit, visitor, 200, { result: { kind: 'good', text }, key })
  })
}

/** Runs an action, or shows why it was refused. */
async function attempt(
  visit: Visited,
  visitor: Visitor,
  entered: ShownProviders['entered'],
  act: () => Promise<Response>,
): Promise<Response> {
  const { mayNot, providers } = visit.setting.keys
  try {
    return await act()
  } catch (error) {
    if (isOneOf(error, 'forbidden', 'wrong_account')) return message(visit, 403, mayNot, visitor)
    if (isOneOf(error, 'provider_not_found')) return message(visit, 404, providers.missing, visitor)
    const conflicts = [
      'provider_exists',
      'provider_name_taken',
      'too_many_providers',
      'too_many_provider_keys',
    ] as const
    if (!isEngineError(error) || !isOneOf(error, 'invalid_input', ...conflicts)) throw error
    const status = error.code === 'invalid_input' ? 422 : 409
    return providersWith(visit, visitor, status, { result: refusedWith(error, visitor, visit.setting), entered })
  }
}

function nameIn({ request }: Visited): string {
  return request.req.param('name') ?? ''
}

/** Asks before the key of a provider is replaced or revoked. */
export function askProvider(verb: 'rotate' | 'revoke') {
  return async (visit: Visited, visitor: Visitor): Promise<Response> => {
    const { answering, setting } = visit
    const { mayNot, providers: words } = setting.keys
    if (!may(visitor, listOwnProviders)) return message(visit, 403, mayNot, visitor)
    const { providers } = await outputOf(listOwnProviders, visitor, {})
    const known = providers.find(({ name, state }) => name === nameIn(visit) && state !== 'revoked')
    if (known === undefined) return message(visit, 404, words.missing, visitor)
    return answering.page(200, askAboutProvider(known.name, verb, visitor, setting))
  }
}

/** Replaces the key of a provider, and shows the new one once. */
export async function rotateProvider(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const name = nameIn(visit)
  return attempt(visit, visitor, empty, async () => {
    const overlap_in_hours = overlapIn(form, visit.setting.keys)
    const { key } = await outputOf(rotateOwnProviderKey, visitor, { name, overlap_in_hours })
    const text = visit.setting.keys.providers.rotated({ name })
    return providersWith(visit, visitor, 200, { result: { kind: 'good', text }, key })
  })
}

/** Revokes the keys of a provider. */
export async function revokeProviderByForm(visit: Visited, visitor: Visitor): Promise<Response> {
  return attempt(visit, visitor, empty, async () => {
    await outputOf(revokeOwnProvider, visitor, { name: nameIn(visit) })
    return visit.answering.redirect(
      withLanguage(`${providersHome}?${confirmationQuery(visitor, ['revoked'])}`, visit.setting),
    )
  })
}
