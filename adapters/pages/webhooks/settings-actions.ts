import * as v from 'valibot'
import {
  call,
  type EngineError,
  expireWebhookSecrets,
  getWebhookDelivery,
  getWebhookSettings,
  type Operation,
  revealWebhookSecret,
  rotateWebhookSecret,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import { nothingWrong, refusalIn, refusalOf, statusFor, wrongIn } from '../signed-in/refusals.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf } from '../signed-in/visit.ts'
import { enteredIn, enteredOf, inputOf, placeOf, placesOf, settingMembers } from './entered.ts'
import type { Delivery } from './parts.ts'
import { numbersWanted, orMissing } from './refusals.ts'
import { secretSaid } from './secret.ts'
import { customersHome, home, type Visited } from './setting.ts'
import { type ShownSettings, settingsPage } from './settings.ts'

/** The owner of the webhooks: a customer, or the business or customer that is signed in. */
interface Level {
  readonly path: string
  readonly input: { readonly customer_id?: number }
}

function levelOf({ request }: Visited): Level {
  const text = request.req.param('customer')
  if (text === undefined) return { path: home, input: {} }
  return { path: `${customersHome}/${text}`, input: { customer_id: idIn(text) ?? 0 } }
}

/** What a page shows beside the current settings. */
type More = Partial<Pick<ShownSettings, 'entered' | 'wrong' | 'tested' | 'result'>> & {
  readonly secret?: Pick<ShownSettings['secret'], 'revealed' | 'wrong'>
}

/** Shows the settings of a level. */
export function showSettings(visit: Visited, visitor: Visitor): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    const [name, id] = confirmationIn(visit.request, visitor)
    const tested = name === 'tested' ? await testBy(visitor, id) : undefined
    const { webhooks: texts } = visit.setting
    const said = name === 'saved' ? texts.saved : secretSaid(name, texts)
    const result: Result | undefined = said === undefined ? undefined : { kind: 'good', text: said }
    return settingsWith(visit, visitor, 200, { tested, result })
  })
}

/** The test with this id in the log; undefined if it is gone. */
export async function testBy(visitor: Visitor, id = ''): Promise<Delivery | undefined> {
  try {
    const { delivery } = await outputOf(getWebhookDelivery, visitor, { delivery_id: id })
    return delivery.test ? delivery : undefined
  } catch (error) {
    if (isOneOf(error, 'delivery_not_found')) return undefined
    throw error
  }
}

async function settingsWith(visit: Visited, visitor: Visitor, status: number, more: More): Promise<Response> {
  const { answering, setting, gateway } = visit
  const { path, input } = levelOf(visit)
  const {
    settings,
    replaced_until,
    public_keys: publicKeys,
    customer_id,
  } = await outputOf(getWebhookSettings, visitor, input)
  const saved = enteredOf(settings, setting.webhooks)
  const shown: ShownSettings = {
    ...{ path, saved, entered: more.entered ?? saved, wrong: more.wrong ?? nothingWrong },
    ...{ tested: more.tested, result: more.result },
    customer: await customerName(visit, visitor, customer_id),
    isOpen: may(visitor, operationIn(gateway, 'update_webhook_settings')),
    secret: { masked: settings.webhook_sign_secret, replacedUntil: replaced_until, publicKeys, ...more.secret },
  }
  return answering.page(status, settingsPage(shown, visitor, setting))
}

/** The customer of a page; undefined for the visitor's own settings. */
async function customerName({ setting }: Visited, { context, account }: Visitor, id: number | null) {
  if (id === null || id === account.id) return undefined
  return (await context.directory.person(context, id))?.name ?? setting.signed.number({ id })
}

/** An operation that is created at the start of the server, by name. */
export function operationIn({ operations }: Visited['gateway'], name: string): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`There is no operation ${name}.`)
  return found
}

/** Saves all settings, or shows the errors together with the values as entered. */
export function saveSettings(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    const { input } = levelOf(visit)
    const { settings } = await outputOf(getWebhookSettings, visitor, input)
    const { webhooks: texts } = visit.setting
    const entered = enteredIn(form, settings, texts)
    const update = operationIn(visit.gateway, 'update_webhook_settings')
    return attempt(visit, visitor, {
      act: async () => {
        await call(update, visitor.context, { ...input, ...inputOf(entered, texts) })
        return confirmed(visit, visitor, 'saved')
      },
      tell: (error) => {
        const own = { at: numbersWanted(settingMembers, Object.keys(texts.numbers), texts), urlFaults: texts.urlFaults }
        const wrong = wrongIn(error, visitor, (finding) => placeOf(finding, entered, texts), own)
        const text = texts.notSaved({ problems: Math.max(1, wrong.size) })
        const isShown = [...wrong.keys()].some((place) => placesOf(entered).has(place))
        return { entered, wrong, result: isShown ? { kind: 'bad', text } : refusalOf(error, visitor) }
      },
    })
  })
}

/** Redirects to the page of the settings, which confirms what was done. */
function confirmed(visit: Visited, visitor: Visitor, ...words: Parameters<typeof confirmationQuery>[1]): Response {
  const path = `${levelOf(visit).path}?${confirmationQuery(visitor, words)}`
  return visit.answering.redirect(withLanguage(path, visit.setting))
}

interface Attempt {
  act(): Promise<Response>
  /** The message of the page after a refusal. */
  tell(error: EngineError): More
}

/** Carries out an action, or shows the settings and why it was refused. */
async function attempt(visit: Visited, visitor: Visitor, { act, tell }: Attempt): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    const refused = refusalIn(error)
    if (refused.code === 'customer_not_found' || statusFor(refused) === 403) throw error
    return settingsWith(visit, visitor, statusFor(refused), tell(refused))
  }
}

const sent = v.object({ delivery: v.object({ delivery_id: v.string() }) })

/** The input of a test; empty form fields are left out. */
export function testIn(form: URLSearchParams, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (form.get(name) ? [[name, form.get(name) ?? '']] : [])))
}

/** Sends a test, and redirects to its result in the log. */
export function testSettings(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { input } = levelOf(visit)
  const asks = testIn(form, ['field', 'url', 'event'])
  return orMissing(visit, visitor, () =>
    attempt(visit, visitor, {
      act: async () => {
        const test = operationIn(visit.gateway, 'test_webhook')
        const { delivery } = v.parse(sent, await call(test, visitor.context, { ...input, ...asks }))
        return confirmed(visit, visitor, 'tested', delivery.delivery_id)
      },
      tell: (error) => ({ result: refusalOf(error, visitor) }),
    }),
  )
}

/** Reveals, rotates or expires the secret of a level. */
export function secretOfSettings(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { input } = levelOf(visit)
  const verb = visit.request.req.param('verb')
  return orMissing(visit, visitor, () =>
    attempt(visit, visitor, {
      act: async () => {
        if (verb === 'reveal') return revealed(visit, visitor, input)
        if (verb === 'rotate')
          await call(rotateWebhookSecret, visitor.context, { ...input, ...testIn(form, ['secret']) })
        else await call(expireWebhookSecrets, visitor.context, input)
        return confirmed(visit, visitor, verb === 'rotate' ? 'rotated' : 'expired')
      },
      tell: (error) => ({
        result: refusalOf(error, visitor),
        secret: { wrong: wrongIn(error, visitor, ({ path }) => path).get('secret') },
      }),
    }),
  )
}

async function revealed(visit: Visited, visitor: Visitor, input: Level['input']): Promise<Response> {
  const { webhook_sign_secret: plain, standard_webhooks_secret: standard } = await outputOf(
    revealWebhookSecret,
    visitor,
    input,
  )
  return settingsWith(visit, visitor, 200, { secret: { revealed: { plain, standard } } })
}
