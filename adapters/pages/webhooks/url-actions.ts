import { call, getWebhookUrl, listWebhookDeliveries, listWebhookUrls, tuneWebhookUrl } from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import { nothingWrong, refusalIn, refusalOf, statusFor, wrongIn } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf } from '../signed-in/visit.ts'
import { numbersWanted, orMissing } from './refusals.ts'
import { urlsHome, type Visited } from './setting.ts'
import { customerQuery, tuningMembers, type UrlPart, urlPage, urlsPage } from './urls.ts'

/** Deliveries on the page of a URL. */
const perPage = 10

function customerIn({ request }: Visited): number | undefined {
  return idIn(request.req.query('customer'))
}

function levelOf(visit: Visited): { readonly customer_id?: number } {
  const customer = customerIn(visit)
  return customer === undefined ? {} : { customer_id: customer }
}

/** Shows all URLs of a level. */
export function showUrls(visit: Visited, visitor: Visitor): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    const { urls } = await outputOf(listWebhookUrls, visitor, levelOf(visit))
    return visit.answering.page(200, urlsPage(urls, customerIn(visit), visitor, visit.setting))
  })
}

/** Shows one URL. */
export function showUrl(visit: Visited, visitor: Visitor): Promise<Response> {
  const [said] = confirmationIn(visit.request, visitor)
  const { done } = visit.setting.webhooks.urls
  const text = Object.entries(done).find(([verb]) => verb === said)?.[1]
  const result: Result | undefined = text === undefined ? undefined : { kind: 'good', text }
  return urlWith(visit, visitor, 200, { result, wrong: nothingWrong })
}

function idOf({ request }: Visited): string {
  return request.req.param('endpoint') ?? ''
}

function urlWith(
  visit: Visited,
  visitor: Visitor,
  status: number,
  more: Pick<UrlPart, 'result' | 'wrong' | 'entered'>,
): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    const asked = { endpoint_id: idOf(visit), ...levelOf(visit) }
    const { url } = await outputOf(getWebhookUrl, visitor, asked)
    const { deliveries } = await outputOf(listWebhookDeliveries, visitor, { ...asked, per_page: perPage })
    const part = { url, deliveries, customer: customerIn(visit), ...more }
    return visit.answering.page(status, urlPage(part, visitor, visit.setting))
  })
}

/** Switches a URL on or off, or sets its name, its limits or its headers. */
export function tuneUrl(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const verb = visit.request.req.param('verb') ?? ''
  const limits = { in_flight: form.get('in_flight') ?? '', per_second: form.get('per_second') ?? '' }
  const name = (form.get('name') ?? '').trim()
  const entered = verb === 'name' ? { name } : verb === 'limits' ? limits : undefined
  const changes = verb === 'name' ? { name: name === '' ? null : name } : changesIn(verb, limits, form)
  return orMissing(visit, visitor, async () => {
    try {
      await call(tuneWebhookUrl, visitor.context, { endpoint_id: idOf(visit), ...levelOf(visit), ...changes })
      const query = customerQuery(customerIn(visit)).replace('?', '&')
      const to = `${urlsHome}/${idOf(visit)}?${confirmationQuery(visitor, [verb])}${query}`
      return visit.answering.redirect(withLanguage(to, visit.setting))
    } catch (error) {
      const refused = refusalIn(error)
      if (statusFor(refused) === 403 || isOneOf(refused, 'webhook_endpoint_not_found', 'customer_not_found'))
        throw error
      const { webhooks: texts } = visit.setting
      const at = numbersWanted(tuningMembers, ['in_flight', 'per_second'], texts)
      const wrong = wrongIn(refused, visitor, ({ path }) => path, { at })
      return urlWith(visit, visitor, statusFor(refused), {
        result: refusalOf(refused, visitor),
        wrong,
        entered,
      })
    }
  })
}

function changesIn(verb: string, entered: Parameters<typeof limitsIn>[0], form: URLSearchParams) {
  if (verb === 'headers') return { headers: headersIn(form) }
  return verb === 'limits' ? limitsIn(entered) : { on: verb === 'on' }
}

/** The headers of the form: those whose name is empty go, and those whose value is empty keep theirs. */
function headersIn(form: URLSearchParams) {
  const values = form.getAll('value').map((value) => value.trim())
  return form.getAll('name').flatMap((entered, index) => {
    const name = entered.trim()
    const value = values[index] ?? ''
    return name === '' && value === '' ? [] : [{ name, ...(value === '' ? {} : { value }) }]
  })
}

function limitsIn(entered: Readonly<Record<'in_flight' | 'per_second', string>>) {
  const numbers = Object.entries(entered).map(([name, value]) => {
    const text = value.trim()
    return [name, text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : text] as const
  })
  return Object.fromEntries(numbers)
}
