import t, { type Test } from 'tap'
import { addProvider, call, en, redeliverWebhook } from '../../../engine/index.ts'
import { type Fields, type Session, site as siteOf } from '../signed-in/site.test.fixture.ts'
import { receiver, running, until } from './receiver.test.fixture.ts'

void redeliverWebhook
const home = '/webhooks'
const log = `${home}/deliveries`

/** A world whose receivers may be on this machine, with its pages. */
async function site() {
  const made = await siteOf(home, { webhooks: { allow: ['127.0.0.0/8'] } })
  const { get, post } = made
  /** Sends a form as somebody, and follows to where it leads. */
  const send = async (path: string, fields: Fields, { cookie, form }: Session) => {
    const sent = await post(path, { form, ...fields }, cookie)
    const to = sent.headers.get('location')
    return to === null ? sent : { ...(await get(to.replace(/#.*/, ''), cookie)), to }
  }
  const provider = async (name: string) => {
    const caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
    const context = { ...made.parts, caller, messages: en, requestId: 't' }
    await call(addProvider, context, { name, business_id: made.business })
  }
  return { ...made, send_: send, provider }
}

/** The form of the settings with one URL of one field. */
function withUrl(field: string, url: string, more: Fields = {}): Fields {
  return { [`${field}.0.url`]: url, driver_location_min_interval_sec: '60', ...more }
}

/** The id of the newest delivery in the log. */
async function newest({ get }: Pick<Awaited<ReturnType<typeof site>>, 'get'>, cookie: string, query = '') {
  const { html } = await get(`${log}${query}`, cookie)
  return /href="\/webhooks\/deliveries\/([\w-]+)">/.exec(html)?.[1] ?? ''
}
