import t from 'tap'
import * as v from 'valibot'
import type { View } from '../../entity/field.ts'
import { recordOf } from '../../entity/record.ts'
import type { ModuleState, Role } from '../../kernel/account.ts'
import { fold } from '../../kernel/decider.ts'
import { parse } from '../../kernel/parse.ts'
import { specificationOf } from '../../testing/spec.ts'
import { type AccountCommand, accounts } from './account.ts'
import { accountTable } from './account-table.ts'
import { businesses } from './business.ts'
import { blindEmail, credentialsOf } from './credential.ts'
import { type AccountEvent, accountEventShapes, type BusinessEvent, type CredentialEvent } from './events.ts'
import { peopleModel } from './people.ts'
import { accountRecord } from './read.ts'
import { mailedName } from './schema.ts'
import { isOpen, type Session, sessionStream, sessions } from './session.ts'

const at = '2026-06-10T10:00:00.000Z'
const told = { at, by: 1 }

t.test('a business', async (t) => {
  const { given } = specificationOf(t, businesses)
  const own = { name: 'Acme', time_zone: 'Europe/Paris', currency: 'EUR' }
  const opened: BusinessEvent = { type: 'BusinessOpened', data: { at, by: null, business_id: 1, ...own } }
  const open = { type: 'OpenBusiness', at, by: null, business_id: 1, ...own } as const
  const set = { type: 'SetBusinessModule', module: 'device_orders' } as const
  const isSet = (state: 'on' | 'off' | 'revoked', by: number | null = 1): BusinessEvent => ({
    type: 'BusinessModuleSet',
    data: { at, by, business_id: 1, module: 'device_orders', state },
  })

  t.test('given none, when it is opened, then it exists; repeating it does nothing', async (t) => {
    specificationOf(t, businesses).given().when(open).then(opened)
    given(opened).when(open).thenNothing()
  })
  t.test('given a business, when it is corrected, then what differs is recorded', async () => {
    const change = { type: 'ChangeBusiness', ...told } as const
    const changed = (data: object) => ({ type: 'BusinessChanged', data: { ...told, business_id: 1, ...data } }) as const
    const opening_hours = { monday: [{ start: '09:00', end: '17:00' }] }
    given(opened)
      .when({ ...change, name: 'Acme', time_zone: 'Europe/Rome', opening_hours })
      .then(changed({ time_zone: 'Europe/Rome', opening_hours }))
    given(opened, changed({ name: 'Bcme', opening_hours }))
      .when({ ...change, name: 'Bcme', opening_hours })
      .thenNothing()
    given(opened)
      .when({ ...change, time_zone: '+01:00' })
      .thenRefused('unknown_time_zone')
    given().when(change).thenRefused('business_not_found')
  })
  t.test('given an unknown time zone, when it is opened, then it is refused', async () => {
    given()
      .when({ ...open, time_zone: '+01:00' })
      .thenRefused('unknown_time_zone')
    given()
      .when({ ...open, time_zone: 'Mars/Olympus' })
      .thenRefused('unknown_time_zone')
  })
  t.test('given a module, when its admin switches it, then it is switched; the same state does nothing', async () => {
    given(opened)
      .when({ ...set, ...told, state: 'on' })
      .then(isSet('on'))
    given(opened, isSet('on'))
      .when({ ...set, ...told, state: 'on' })
      .thenNothing()
    given(opened)
      .when({ ...set, ...told, state: 'off' })
      .thenNothing()
    given()
      .when({ ...set, ...told, state: 'on' })
      .thenRefused('business_not_found')
  })
  t.test('given a module that the platform revoked, when its admin switches it, then it is refused', async () => {
    const revoked = isSet('revoked', null)
    given(opened)
      .when({ ...set, at, by: null, state: 'revoked' })
      .then(revoked)
    for (const state of ['on', 'off'] as const)
      given(opened, revoked)
        .when({ ...set, ...told, state })
        .thenRefused('module_not_switchable')
    given(opened, revoked)
      .when({ ...set, at, by: null, state: 'off' })
      .then(isSet('off', null))
  })
  t.test('given a module of the platform, then the admin switches it only while the business has it', async () => {
    const ofPlatform = { type: 'SetBusinessModule', module: 'broker_assignment' } as const
    const assigning = (state: ModuleState, by: number | null): BusinessEvent => ({
      type: 'BusinessModuleSet',
      data: { at, by, business_id: 1, module: 'broker_assignment', state },
    })
    const on = { ...ofPlatform, ...told, state: 'on' } as const
    given(opened).when(on).thenRefused('module_not_switchable')
    given(opened)
      .when({ ...on, by: null })
      .then(assigning('on', null))
    given(opened, assigning('on', null), assigning('off', 1)).when(on).then(assigning('on', 1))
    for (const state of ['off', 'revoked', 'not_migrated'] as const)
      given(opened, assigning('on', null), assigning(state, null)).when(on).thenRefused('module_not_switchable')
    // The business may have switched it off before the platform ends it.
    given(opened, assigning('on', null), assigning('off', 1))
      .when({ ...on, by: null, state: 'off' })
      .then(assigning('off', null))
    given(opened, assigning('on', null), assigning('off', 1), assigning('off', null))
      .when(on)
      .thenRefused('module_not_switchable')
  })
  t.test(
    'given a business that switched a module of the platform on when it still could, then it keeps it',
    async () => {
      const assigning = (state: ModuleState): BusinessEvent => ({
        type: 'BusinessModuleSet',
        data: { at, by: 1, business_id: 1, module: 'broker_assignment', state },
      })
      given(opened, assigning('on'), assigning('off'))
        .when({ type: 'SetBusinessModule', module: 'broker_assignment', ...told, state: 'on' })
        .then(assigning('on'))
    },
  )
  t.test('given a module that does not exist yet, then nobody switches it on', async () => {
    for (const by of [1, null])
      given(opened)
        .when({ type: 'SetBusinessModule', module: 'order_chat', at, by, state: 'on' })
        .thenRefused('module_not_built')
  })
})

const openedAs = (role: Role): AccountEvent => ({
  type: 'AccountOpened',
  data: {
    ...{ at, by: 1, account_id: 7, business_id: 3, role, credential: 'b' },
    personal: { name: 'Ada', email: 'ada@x.example' },
  },
})
const fact = { at, by: 1, account_id: 7 }

t.test('an account', async (t) => {
  const { given } = specificationOf(t, accounts)
  const customer = openedAs('customer')

  t.test('given none, when it is opened, then it exists; repeating it does nothing', async () => {
    const open: AccountCommand = {
      type: 'OpenAccount',
      ...{ at, by: 1, account_id: 7, business_id: 3, role: 'customer', credential: 'b' },
      personal: { name: 'Ada', email: 'ada@x.example' },
    }
    given().when(open).then(customer)
    given(customer).when(open).thenNothing()
  })
  t.test('given none, when a command comes, then the account does not exist', async () => {
    const asked: readonly AccountCommand[] = [
      { type: 'SetActive', ...told, is_active: false },
      { type: 'SetAccountModule', ...told, module: 'broker_assignment', state: 'on' },
      { type: 'HidePrices', ...told, families: ['device_orders'] },
      { type: 'Rename', ...told, name: 'Bo' },
      { type: 'ChangeRole', ...told, role: 'client_admin' },
      { type: 'ChangePassword', ...told },
      { type: 'BindIdentity', ...told, issuer: 'i', binding: 'x' },
    ]
    for (const command of asked) given().when(command).thenRefused('account_not_found')
  })
  t.test('given an account, when it is renamed or its role changes, then once, and only among staff', async () => {
    const rename = (name: string): AccountCommand => ({ type: 'Rename', ...told, name })
    const become = (role: Role, by = 1): AccountCommand => ({ type: 'ChangeRole', at, by, role })
    const employee = openedAs('client_employee')
    given(customer)
      .when(rename('Bo'))
      .then({ type: 'AccountRenamed', data: { ...fact, personal: { name: 'Bo' } } })
    given(customer).when(rename('Ada')).thenNothing()
    given(employee)
      .when(become('client_admin'))
      .then({ type: 'AccountRoleChanged', data: { ...fact, role: 'client_admin' } })
    given(employee).when(become('client_employee')).thenNothing()
    given(employee).when(become('client_admin', 7)).thenRefused('own_role_kept')
    given(employee).when(become('driver')).thenRefused('role_kept')
    given(customer).when(become('client_admin')).thenRefused('role_kept')
    given(customer, { type: 'AccountErased', data: fact }).when(rename('Bo')).thenRefused('account_erased')
  })
  t.test(
    'given an account, when it is disabled and enabled, then each happens once, and never to oneself',
    async () => {
      const off: AccountCommand = { type: 'SetActive', ...told, is_active: false }
      const disabled: AccountEvent = { type: 'AccountDisabled', data: fact }
      given(customer).when(off).then(disabled)
      given(customer, disabled).when(off).thenNothing()
      given(customer, disabled)
        .when({ ...off, is_active: true })
        .then({ type: 'AccountEnabled', data: fact })
      given(customer)
        .when({ ...off, is_active: true })
        .thenNothing()
      given(customer)
        .when({ ...off, by: 7 })
        .thenRefused('own_account_kept')
    },
  )
  t.test('given a contractor, when its module is switched, then it is; others have none', async () => {
    const set: AccountCommand = { type: 'SetAccountModule', ...told, module: 'broker_assignment', state: 'on' }
    const isSet: AccountEvent = {
      type: 'AccountModuleSet',
      data: { ...fact, module: 'broker_assignment', state: 'on' },
    }
    const contractor = openedAs('contractor')
    given(contractor).when(set).then(isSet)
    given(contractor, isSet).when(set).thenNothing()
    given(contractor)
      .when({ ...set, module: 'order_chat' })
      .thenRefused('module_not_of_account')
    given(customer).when(set).thenRefused('module_not_of_account')
  })
  t.test('given a customer, when prices are hidden, then they are hidden; other roles are refused', async () => {
    const hide: AccountCommand = {
      type: 'HidePrices',
      ...told,
      families: ['local_delivery', 'device_orders', 'local_delivery'],
    }
    const hidden: AccountEvent = {
      type: 'HiddenPricesSet',
      data: { ...fact, families: ['device_orders', 'local_delivery'] },
    }
    given(customer).when(hide).then(hidden)
    given(customer, hidden).when(hide).thenNothing()
    given(customer, hidden)
      .when({ ...hide, families: [] })
      .then({ type: 'HiddenPricesSet', data: { ...fact, families: [] } })
    given(openedAs('client_admin')).when(hide).thenRefused('not_a_customer')
  })
  t.test(
    'given an identity that is bound, when another of the same issuer comes, then that is a conflict',
    async () => {
      const bind: AccountCommand = { type: 'BindIdentity', ...told, issuer: 'https://idp', binding: 'x' }
      const bound: AccountEvent = { type: 'IdentityBound', data: { ...fact, issuer: 'https://idp', binding: 'x' } }
      given(customer).when(bind).then(bound)
      given(customer, bound).when(bind).thenNothing()
      given(customer, bound)
        .when({ ...bind, binding: 'y' })
        .thenRefused('binding_conflict')
      given(customer, bound)
        .when({ ...bind, issuer: 'https://other', binding: 'y' })
        .then({ type: 'IdentityBound', data: { ...fact, issuer: 'https://other', binding: 'y' } })
    },
  )
  t.test('given events that end its sessions, when they are folded, then the generation increases', async (t) => {
    given(customer)
      .when({ type: 'ChangePassword', ...told })
      .then({ type: 'PasswordChanged', data: fact })
    const changes: readonly AccountEvent[] = [
      { type: 'PasswordChanged', data: fact },
      { type: 'AccountDisabled', data: fact },
      { type: 'AccountEnabled', data: fact },
    ]
    const state = [customer, ...changes].reduce(accounts.evolve, accounts.initial())
    t.match(state, { generation: 2, is_active: true, name: 'Ada' })
  })
  t.test(
    'given what was erased, and events of a later version, when they are folded, then the rest stands',
    async (t) => {
      const { personal: _, ...data } = (customer as Extract<AccountEvent, { type: 'AccountOpened' }>).data
      const later = { type: 'AccountMoved', data: fact } as unknown as AccountEvent
      const state = accounts.evolve(accounts.evolve(undefined, { type: 'AccountOpened', data }), later)
      t.match(state, { account_id: 7, business_id: 3, name: undefined, email: undefined })
      t.equal(accounts.evolve(undefined, { type: 'AccountDisabled', data: fact }), undefined)
    },
  )
})

t.test('a credential', async (t) => {
  const { given } = specificationOf(t, credentialsOf)
  const command = { at, account_id: 7, password_hash: 'h' }
  const data = { at, account_id: 7, personal: { password_hash: 'h' } }
  const issued: CredentialEvent = { type: 'CredentialIssued', data }

  t.test('given none, when it is issued, then it exists; an email has one account', async () => {
    given()
      .when({ type: 'IssueCredential', ...command })
      .then(issued)
    given(issued)
      .when({ type: 'IssueCredential', ...command, account_id: 8 })
      .thenRefused('email_taken')
  })
  t.test('given one, when it is renewed, then it changes; not by another account', async () => {
    given(issued)
      .when({ type: 'RenewCredential', ...command })
      .then({ type: 'CredentialRenewed', data })
    given(issued)
      .when({ type: 'RenewCredential', ...command, account_id: 8 })
      .thenRefused('account_not_found')
    given()
      .when({ type: 'RenewCredential', ...command })
      .thenRefused('account_not_found')
  })
  t.test('ASCII letters of either case are the same address, and other texts are blinded differently', async (t) => {
    const blind = (text: string) => `<${text}>`
    t.equal(blindEmail({ blind }, 'Ada@X.example'), blindEmail({ blind }, 'ada@x.EXAMPLE'))
    t.not(blindEmail({ blind }, 'ada@x.example'), blind('ada@x.example'))
  })
})

t.test('a session', async (t) => {
  const { given } = specificationOf(t, sessions)
  const data = { at, expires_at: '2026-06-10T22:00:00.000Z', account_id: 7, generation: 2 }
  const started = { type: 'SessionStarted', data } as const
  const ended = { type: 'SessionEnded', data: { at, reason: 'logout' } } as const

  t.test('given none, when it is started, then it exists', async () => {
    given()
      .when({ type: 'StartSession', ...data })
      .then(started)
    given(started)
      .when({ type: 'StartSession', ...data })
      .thenNothing()
  })
  t.test('given one, when it is ended, then it is over, once', async () => {
    given(started).when({ type: 'EndSession', at, reason: 'logout' }).then(ended)
    given(started, ended).when({ type: 'EndSession', at, reason: 'refresh' }).thenNothing()
    given().when({ type: 'EndSession', at, reason: 'logout' }).thenNothing()
  })
  t.test('it is valid until it expires, is ended, or its account begins another generation', async (t) => {
    const session = sessions.evolve(undefined, started) as Session
    const end = Date.parse(data.expires_at)
    t.ok(isOpen(session, 2, end - 1))
    t.notOk(isOpen(session, 2, end))
    t.notOk(isOpen(session, 3, end - 1))
    t.notOk(isOpen(sessions.evolve(session, ended) as Session, 2, end - 1))
    const long = { ...session, expiresAt: '2026-12-31T00:00:00.000Z' }
    const days = { plain: 3, app: 5 }
    const signedIn = Date.parse(session.signedInAt)
    t.ok(isOpen(long, 2, signedIn + 3 * 86_400_000 - 1, days))
    t.notOk(isOpen(long, 2, signedIn + 3 * 86_400_000, days), 'a shorter setting holds for sessions of before, too')
  })
  t.test('its stream does not reveal its token', async (t) => {
    t.match(sessionStream('ots_1'), /^session-[0-9a-f]{64}$/)
    t.notMatch(sessionStream('ots_secret'), 'ots_secret')
  })
})

t.test(
  'given an account, when it is shown, then nothing of how it signs in is, and an erased person is not',
  async (t) => {
    const bound: AccountEvent = { type: 'IdentityBound', data: { ...fact, issuer: 'https://idp', binding: 'x' } }
    const view: View = { reader: 'client_admin', timeZone: 'UTC' }
    const shown = (...history: readonly AccountEvent[]) => recordOf(accountTable, fold(accounts, history) ?? {}, view)
    const { personal: _, ...data } = (openedAs('customer') as Extract<AccountEvent, { type: 'AccountOpened' }>).data
    const rest = { id: 7, role: 'customer', is_active: true, modules: {}, hidden_prices: [] }
    t.same(shown(openedAs('customer'), bound), { ...rest, name: 'Ada', email: 'ada@x.example' })
    t.same(shown({ type: 'AccountOpened', data }, bound), rest)
    t.same(v.parse(accountRecord, shown(openedAs('customer'), bound)), shown(openedAs('customer'), bound))
  },
)

t.test('the read model of people keeps nothing personal, and whether they are active', async (t) => {
  const place = {
    id: 'e',
    metadata: { schemaVersion: 1 },
    stream: 'account-7',
    revision: 0,
    position: '1',
    recordedAt: at,
  }
  const rows = (event: AccountEvent) => peopleModel.rows({ ...event, ...place })
  t.same(rows(openedAs('customer')), [
    { account_id: 7, business_id: 3, role: 'customer', staff_role_id: null, is_active: 1 },
  ])
  t.same(rows({ type: 'AccountDisabled', data: fact }), [{ account_id: 7, is_active: 0 }])
  t.same(rows({ type: 'AccountEnabled', data: fact }), [{ account_id: 7, is_active: 1 }])
  t.same(rows({ type: 'PasswordChanged', data: fact }), [])
})

t.test('every type of event has one category', async (t) => {
  const all = Object.values(accountEventShapes).flatMap(Object.keys)
  t.equal(new Set(all).size, all.length)
})

t.test(
  'given a name that goes into e-mails, when it holds an address of the web or a line end, then it is refused',
  async (t) => {
    const codes = (name: string) => parse(mailedName, name).findings?.map(({ code }) => code)
    const names = [
      'Dr. Smith',
      'J.R.R. Tolkien',
      'St.Gallen',
      'Müller & Co. KG',
      'shop.example',
      'A/B Goods',
      'c/o Ann',
    ]
    for (const name of [...names, 'Ann, Bob: and/or Cy', 'No. 1/2', 'Wwwhat', 'محمد'])
      t.same(codes(name), undefined, name)
    const addresses = ['Click https://evil.example now', 'HTTP://evil', 'www.evil.example', 'Ann (WWW.evil)', 'ftp://x']
    const hidden = [
      'evil.example/login',
      'see bücher.example:8080/a',
      'ｗｗｗ．evil',
      'ht\u200etps://evil',
      'evil.example／a',
    ]
    for (const name of [...addresses, ...hidden]) t.same(codes(name), ['web_address'], name)
    for (const name of ['Ann\nPay', 'Ann\r', 'Ann\u2028Pay', 'Ann\u2029', 'Ann\u202eyaP', '\u2066Ann'])
      t.same(codes(name), ['control_character'])
  },
)
