import { assignApp, call, configureApp } from '../../../engine/index.ts'
import { mailbox } from '../../mail/mailbox.test.fixture.ts'
import { operator, world } from '../world.test.fixture.ts'

/** How a client lets customers register. */
export interface Rules {
  readonly requires_approval: boolean
  readonly phone_verification_required: boolean
}

type Body = Readonly<Record<string, unknown>>

/** Makes the app `shop` with the client `one`, in which customers of a business may register. */
export async function openShop(made: Awaited<ReturnType<typeof world>>, registration?: Rules): Promise<void> {
  const settings = {
    ...{ name: 'Shop', type: 'consumer', schema_version: 1, roles: ['customer'], capabilities: [] },
    ...{ providers: [], versions: [] },
  }
  const client = {
    ...{ display_name: 'Acme', business_id: made.business, methods: ['email'], capabilities: [], quick_actions: [] },
    ...{ default_phone_region: 'CA', ...(registration && { registration }) },
  }
  await call(configureApp, operator(made), { app_code: 'shop', settings })
  await call(assignApp, operator(made), { app_code: 'shop', client_code: 'one', settings: client })
}

/** A harness with an app in which customers of the first business may register, and what is sent to them. */
export async function registering(registration: Rules | undefined, options: Parameters<typeof world>[0] = {}) {
  const box = mailbox()
  const texts: { readonly to: string; readonly text: string }[] = []
  const sms = {
    send: async (message: { readonly to: string; readonly text: string }) => {
      texts.push(message)
      return undefined
    },
  }
  const made = await world({ mail: box.mail, sms, ...options })
  await openShop(made, registration)
  const base = '/api/v1/apps/shop/clients/one'
  const device = { device_id: 'device-1', device_platform: 'ios' }
  const person = { name: 'Zoé Lambert', password: 'a much better password', ...device }
  return {
    ...made,
    box,
    texts,
    bootstrap: async () => (await made.send('GET', `${base}/bootstrap`)).body.data.authentication,
    begin: (body: Body, headers = {}) => made.send('POST', `${base}/registrations`, { body, headers }),
    confirm: (body: Body) => made.send('POST', `${base}/registrations/confirm`, { body: { ...person, ...body } }),
    signIn: (email: string) =>
      made.send('POST', `${base}/auth/email`, { body: { email, password: person.password, ...device } }),
    nextCode: async () => /\d{6}/.exec((await box.next()).subject)?.[0] ?? '',
  }
}
