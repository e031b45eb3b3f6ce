import {
  createApiKey,
  getApiKey,
  isEngineError,
  listAccounts,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message, pageIn } from '../signed-in/visit.ts'
import { askAboutKey, dayChoices, emptyKey, keysPage, type ShownKeys } from './keys.ts'
import { narrowingOf, overlapIn, refusedWith, termsIn } from './parts.ts'
import { home, type Visited } from './setting.ts'

const perPage = 50

/** Shows the API keys. */
export function showKeys(visit: Visited, visitor: Visitor): Promise<Response> {
  const [said] = confirmationIn(visit.request, visitor)
  const text = visit.setting.keys.revoke.done
  return keysWith(visit, visitor, 200, said === 'revoked' ? { result: { kind: 'good', text } } : {})
}

async function keysWith(
  { request, answering, setting }: Visited,
  visitor: Visitor,
  status: number,
  more: Partial<ShownKeys>,
): Promise<Response> {
  const { result: _, ...listed } = await outputOf(listApiKeys, visitor, {
    ...{ page: pageIn(request), per_page: perPage },
  })
  const names = await namesOf(
    visitor,
    listed.keys.map(({ account_id }) => account_id),
  )
  return answering.page(status, keysPage({ ...listed, names, entered: emptyKey, ...more }, visitor, setting))
}

/** The names of accounts of the visitor's own business, for visitors who may read them. */
async function namesOf(visitor: Visitor, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (!may(visitor, listAccounts)) return new Map()
  const { context } = visitor
  const people = await Promise.all([...new Set(ids)].map((id) => context.directory.person(context, id)))
  return new Map(people.flatMap((person) => (person?.name === undefined ? [] : [[person.id, person.name]])))
}

/** Makes a key, and shows it once: the answer to the form has it, and no other page. */
export async function make(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  return makeWith(visit, visitor, form, {
    create: (input) => outputOf(createApiKey, visitor, input),
    show: (status, more) => keysWith(visit, visitor, status, more),
  })
}

/** Makes a key as a form says; `create` makes it, and `show` is the page with it or with why it was refused. */
export async function makeWith(
  { setting }: Visited,
  visitor: Visitor,
  form: URLSearchParams,
  by: {
    create(input: object): Promise<{ readonly key: string }>
    show(status: number, more: Pick<Partial<ShownKeys>, 'result' | 'key' | 'entered'>): Promise<Response>
  },
): Promise<Response> {
  const terms = termsIn(form)
  const days = dayChoices.find((one) => String(one) === form.get('days')) ?? emptyKey.days
  const { name, scopes } = terms
  try {
    const { key } = await by.create({ name, scopes, ...narrowingOf(terms), expires_in_hours: days * 24 })
    return by.show(200, { result: { kind: 'good', text: setting.keys.keys.made({ name }) }, key })
  } catch (error) {
    if (!isEngineError(error) || !isOneOf(error, 'invalid_input', 'too_many_api_keys')) throw error
    const status = error.code === 'invalid_input' ? 422 : 409
    return by.show(status, { result: refusedWith(error, visitor, setting), entered: { ...terms, days } })
  }
}

/** Asks before a key is replaced or revoked. */
export function ask(verb: 'rotate' | 'revoke') {
  return async (visit: Visited, visitor: Visitor): Promise<Response> => {
    const { answering, setting, request } = visit
    try {
      const { key } = await outputOf(getApiKey, visitor, { key_id: idIn(request.req.param('id')) })
      return await answering.page(200, askAboutKey(key, verb, visitor, setting))
    } catch (error) {
      if (!isOneOf(error, 'api_key_not_found')) throw error
      return message(visit, 404, setting.keys.keys.missing, visitor)
    }
  }
}

/** Replaces a key, and shows the new one once. */
export async function rotate(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { keys } = visit.setting.keys
  const overlap_in_hours = overlapIn(form, visit.setting.keys)
  const input = { key_id: idIn(visit.request.req.param('id')), overlap_in_hours }
  try {
    const { key } = await outputOf(rotateApiKey, visitor, input)
    return keysWith(visit, visitor, 200, { result: { kind: 'good', text: keys.rotated }, key })
  } catch (error) {
    if (isOneOf(error, 'api_key_not_found', 'invalid_input')) return message(visit, 404, keys.missing, visitor)
    if (!isEngineError(error) || !isOneOf(error, 'api_key_ended', 'not_own_api_key')) throw error
    return keysWith(visit, visitor, 409, { result: refusedWith(error, visitor, visit.setting) })
  }
}

/** Revokes a key. */
export async function revoke(visit: Visited, visitor: Visitor): Promise<Response> {
  try {
    await outputOf(revokeApiKey, visitor, { key_id: idIn(visit.request.req.param('id')) })
    return visit.answering.redirect(withLanguage(`${home}?${confirmationQuery(visitor, ['revoked'])}`, visit.setting))
  } catch (error) {
    if (!isOneOf(error, 'api_key_not_found', 'invalid_input')) throw error
    return message(visit, 404, visit.setting.keys.keys.missing, visitor)
  }
}
