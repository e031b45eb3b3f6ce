import * as v from 'valibot'
import {
  call,
  deleteWebhookEndpoint,
  type EngineError,
  expireEndpointSecrets,
  listWebhookEndpoints,
  revealEndpointSecret,
  rotateEndpointSecret,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import { refusalIn, refusalOf, statusFor, wrongIn } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { pageIn } from '../signed-in/visit.ts'
import { mannerIn, mannerInput } from './manner.ts'
import {
  type AtEndpoint,
  anchorOf,
  type EnteredEndpoint,
  type EnteredName,
  endpointMembers,
  providersPage,
  type ShownEndpoints,
} from './providers.ts'
import { orMissing } from './refusals.ts'
import { secretSaid } from './secret.ts'
import { providersHome, type Visited } from './setting.ts'
import { operationIn, testBy, testIn } from './settings-actions.ts'
import type { WebhookTexts } from './texts/index.ts'

const perPage = 20

const noName: EnteredName = { provider: '', channel: '', url: '' }

/** Shows the endpoints of providers. */
export function showProviders(visit: Visited, visitor: Visitor): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    const { webhooks: texts } = visit.setting
    const [name, at = '', id] = confirmationIn(visit.request, visitor)
    if (name === 'deleted') return providersWith(visit, visitor, 200, { result: good(texts.providers.deleted) })
    const said = name === 'saved' ? texts.providers.saved : secretSaid(name, texts)
    const tested = name === 'tested' ? await testBy(visitor, id) : undefined
    return providersWith(visit, visitor, 200, {
      one: { at, tested, result: said === undefined ? undefined : good(said) },
    })
  })
}

function good(text: string): Result {
  return { kind: 'good', text }
}

async function providersWith(
  { request, answering, setting }: Visited,
  visitor: Visitor,
  status: number,
  { result, one, adding = noName }: Partial<ShownEndpoints>,
): Promise<Response> {
  const listed = await outputOf(listWebhookEndpoints, visitor, { page: pageIn(request), per_page: perPage })
  return answering.page(status, providersPage({ listed, result, one, adding }, visitor, setting))
}

/** The names of an endpoint in the path. */
interface Named {
  readonly channel: string
  readonly provider: string
}

function namedIn({ request }: Visited): Named {
  return { channel: request.req.param('channel') ?? '', provider: request.req.param('provider') ?? '' }
}

/** Carries out an action on an endpoint, or shows why it was refused. */
async function attempt(
  visit: Visited,
  visitor: Visitor,
  act: () => Promise<Response>,
  tell: (error: EngineError) => Partial<ShownEndpoints>,
): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    try {
      return await act()
    } catch (error) {
      const refused = refusalIn(error)
      if (refused.code === 'webhook_endpoint_not_found' || statusFor(refused) === 403) throw error
      return providersWith(visit, visitor, statusFor(refused), tell(refused))
    }
  })
}

/** Redirects to the page, which confirms an action on an endpoint. */
function done(
  { answering, setting }: Visited,
  visitor: Visitor,
  named: Named,
  name: string,
  ...more: readonly string[]
): Response {
  const to = `${providersHome}?${confirmationQuery(visitor, [name, anchorOf(named), ...more])}`
  return answering.redirect(withLanguage(to, setting))
}

/** Saves the endpoint of a provider. */
export function saveEndpoint(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const named = namedIn(visit)
  const entered = endpointIn(form, visit.setting.webhooks)
  const { url, sandboxUrl, isSandboxEnabled, events, manner } = entered
  const input = {
    ...named,
    url,
    ...(sandboxUrl === '' ? {} : { sandbox_url: sandboxUrl }),
    sandbox_enabled: isSandboxEnabled,
    ...(events.length === 0 ? {} : { events }),
    ...mannerInput(manner, endpointMembers),
  }
  return attempt(
    visit,
    visitor,
    async () => {
      await call(operationIn(visit.gateway, 'set_webhook_endpoint'), visitor.context, input)
      return done(visit, visitor, named, 'saved')
    },
    (error) => ({ one: refusedAt(anchorOf(named), error, visit, visitor, { entered }) }),
  )
}

function endpointIn(form: URLSearchParams, texts: WebhookTexts): EnteredEndpoint {
  return {
    url: (form.get('url') ?? '').trim(),
    sandboxUrl: (form.get('sandbox_url') ?? '').trim(),
    isSandboxEnabled: form.has('sandbox_enabled'),
    events: form.getAll('events'),
    manner: mannerIn(form, endpointMembers, texts),
  }
}

function refusedAt(
  at: string,
  error: EngineError,
  { setting }: Visited,
  visitor: Visitor,
  more: Partial<AtEndpoint> = {},
): AtEndpoint {
  const { urlFaults, notSaved } = setting.webhooks
  const wrong = wrongIn(error, visitor, ({ path }) => path.split(/[[.]/)[0] ?? '', { urlFaults })
  const isAtField = ['url', 'sandbox_url', 'events', 'where', 'secret', 'provider'].some((name) => wrong.has(name))
  const text = notSaved({ problems: wrong.size })
  return { ...more, at, wrong, result: isAtField ? { kind: 'bad', text } : refusalOf(error, visitor) }
}

/** Adds an endpoint; an existing one is not overwritten. */
export function addEndpoint(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const adding = { provider: text('provider'), channel: text('channel'), url: text('url') }
  return attempt(
    visit,
    visitor,
    async () => {
      if (await isThere(visitor, adding)) {
        const result: Result = { kind: 'bad', text: visit.setting.webhooks.providers.exists }
        return providersWith(visit, visitor, 409, { result, adding })
      }
      await call(operationIn(visit.gateway, 'set_webhook_endpoint'), visitor.context, adding)
      return done(visit, visitor, adding, 'saved')
    },
    (error) => {
      const { result, ...one } = refusedAt('add', error, visit, visitor)
      return { result, one, adding }
    },
  )
}

async function isThere(visitor: Visitor, { channel, provider }: Named): Promise<boolean> {
  for (let page = 1; ; page++) {
    const { endpoints } = await outputOf(listWebhookEndpoints, visitor, { page, per_page: 200 })
    if (endpoints.some((one) => one.channel === channel && one.provider === provider)) return true
    if (endpoints.length < 200) return false
  }
}

const sent = v.object({ delivery: v.object({ delivery_id: v.string() }) })

/** Sends a test to a provider, and redirects to its result. */
export function testEndpoint(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const named = namedIn(visit)
  const test = operationIn(visit.gateway, 'test_webhook_endpoint')
  const input = { ...named, ...testIn(form, ['event']) }
  return attempt(
    visit,
    visitor,
    async () => {
      const { delivery } = v.parse(sent, await call(test, visitor.context, input))
      return done(visit, visitor, named, 'tested', delivery.delivery_id)
    },
    (error) => ({ one: { at: anchorOf(named), result: refusalOf(error, visitor) } }),
  )
}

/** Reveals, rotates or expires the secret of an endpoint. */
export function secretOfEndpoint(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const named = namedIn(visit)
  const verb = visit.request.req.param('verb')
  const { context } = visitor
  return attempt(
    visit,
    visitor,
    async () => {
      if (verb === 'reveal') return revealed(visit, visitor, named)
      if (verb === 'rotate') await call(rotateEndpointSecret, context, { ...named, ...testIn(form, ['secret']) })
      else await call(expireEndpointSecrets, context, named)
      return done(visit, visitor, named, verb === 'rotate' ? 'rotated' : 'expired')
    },
    (error) => ({ one: refusedAt(anchorOf(named), error, visit, visitor) }),
  )
}

async function revealed(visit: Visited, visitor: Visitor, named: Named): Promise<Response> {
  const shown = await outputOf(revealEndpointSecret, visitor, named)
  const { secret: plain, standard_webhooks_secret: standard } = shown
  return providersWith(visit, visitor, 200, { one: { at: anchorOf(named), revealed: { plain, standard } } })
}

/** Deletes an endpoint. */
export function removeEndpoint(visit: Visited, visitor: Visitor): Promise<Response> {
  const named = namedIn(visit)
  return attempt(
    visit,
    visitor,
    async () => {
      await call(deleteWebhookEndpoint, visitor.context, named)
      return done(visit, visitor, named, 'deleted')
    },
    (error) => ({ one: { at: anchorOf(named), result: refusalOf(error, visitor) } }),
  )
}
