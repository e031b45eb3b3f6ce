import {
  call,
  createPartnerSubscription,
  type EngineError,
  listPartnerSubscriptions,
  revokePartnerSubscription,
  testPartnerSubscription,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import { nothingWrong, refusalIn, refusalOf, statusFor, wrongIn } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { idIn, pageIn } from '../signed-in/visit.ts'
import { mannerIn, mannerInput, mannerOf } from './manner.ts'
import {
  type EnteredSubscription,
  handoffEventTypes,
  partnersPage,
  type ShownPartners,
  subscriptionMembers,
} from './partners.ts'
import { orMissing } from './refusals.ts'
import { partnersHome, type Visited } from './setting.ts'
import { testBy } from './settings-actions.ts'

const perPage = 50

/** Shows what the partners have subscribed to. */
export function showPartners(visit: Visited, visitor: Visitor): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    const [name, id] = confirmationIn(visit.request, visitor)
    const { done } = visit.setting.webhooks.partners
    const text = name === 'added' || name === 'revoked' ? done[name] : undefined
    const tested = name === 'tested' ? await testBy(visitor, id) : undefined
    return partnersWith(visit, visitor, 200, {
      tested,
      result: text === undefined ? undefined : { kind: 'good', text },
    })
  })
}

async function partnersWith(
  { request, answering, setting }: Visited,
  visitor: Visitor,
  status: number,
  { result, tested, entered, wrong = nothingWrong }: Partial<ShownPartners>,
): Promise<Response> {
  const manner = mannerOf({}, subscriptionMembers, setting.webhooks)
  const nothing: EnteredSubscription = { provider: '', url: '', events: [], manner }
  const listed = await outputOf(listPartnerSubscriptions, visitor, { page: pageIn(request), per_page: perPage })
  return answering.page(
    status,
    partnersPage({ listed, result, tested, entered: entered ?? nothing, wrong }, visitor, setting),
  )
}

/** Carries out an action and redirects to its confirmation, or shows why it was refused. */
function attempt(
  visit: Visited,
  visitor: Visitor,
  act: () => Promise<readonly [string, ...string[]]>,
  tell: (error: EngineError) => Partial<ShownPartners>,
): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    try {
      const to = `${partnersHome}?${confirmationQuery(visitor, await act())}`
      return visit.answering.redirect(withLanguage(to, visit.setting))
    } catch (error) {
      const refused = refusalIn(error)
      if (statusFor(refused) === 403) throw error
      return partnersWith(visit, visitor, statusFor(refused), tell(refused))
    }
  })
}

/** Subscribes a URL of a partner. */
export function addSubscription(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const chosen = form.getAll('events')
  const entered: EnteredSubscription = {
    ...{ provider: text('provider'), url: text('url'), events: chosen },
    manner: mannerIn(form, subscriptionMembers, visit.setting.webhooks),
  }
  const { provider, url, manner } = entered
  const events = chosen.length === 0 ? handoffEventTypes.map(({ name }) => name) : chosen
  const how = mannerInput(manner, subscriptionMembers)
  const input = { provider, url, secret: form.get('secret') ?? '', events, ...how }
  return attempt(
    visit,
    visitor,
    async () => {
      await call(createPartnerSubscription, visitor.context, input)
      return ['added']
    },
    (error) => {
      const { notSaved, urlFaults } = visit.setting.webhooks
      const wrong = wrongIn(error, visitor, ({ path }) => path.split('[')[0] ?? '', { urlFaults })
      const result: Result =
        wrong.size > 0 ? { kind: 'bad', text: notSaved({ problems: wrong.size }) } : refusalOf(error, visitor)
      return { entered, wrong, result }
    },
  )
}

/** Tests or ends a subscription. */
export function actOnSubscription(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request } = visit
  const named = { provider: request.req.param('provider') ?? '', subscription_id: idIn(request.req.param('id')) ?? 0 }
  return attempt(
    visit,
    visitor,
    async () => {
      if (request.req.param('verb') === 'test')
        return ['tested', (await outputOf(testPartnerSubscription, visitor, named)).delivery_id]
      await call(revokePartnerSubscription, visitor.context, named)
      return ['revoked']
    },
    (error) => ({ result: refusalOf(error, visitor) }),
  )
}
