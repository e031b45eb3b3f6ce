import t from 'tap'
import { parse } from '../../../kernel/parse.ts'
import { specificationOf } from '../../../testing/spec.ts'
import { type App, type AppEvent, type AppSettings, apps, availableClient, type ClientSettings } from './app.ts'
import { appSettings, clientSettings } from './schema.ts'
import { compareVersions, versionPattern, versionPolicy } from './version.ts'

const at = '2026-06-10T10:00:00.000Z'
const of = { at, app_code: 'shop' }
const settings: AppSettings = {
  ...{ name: 'Shop', type: 'consumer', schema_version: 1, roles: ['customer'], capabilities: ['wallet_balance'] },
  providers: [{ name: 'google', issuer: 'https://accounts.example', audience: 'aud' }],
  versions: [{ platform: 'ios', minimum_version: '1.2.0', latest_version: '1.4.0' }],
}
const client: ClientSettings = {
  ...{ display_name: 'Acme', business_id: 1, methods: ['email', 'google'], capabilities: ['wallet_balance'] },
  ...{ quick_actions: ['send'], default_phone_region: 'CA' },
}
const configured: AppEvent = { type: 'AppConfigured', data: { ...of, settings } }
const assigned: AppEvent = { type: 'AppAssigned', data: { ...of, client_code: 'acme', settings: client } }

t.test('an app', async (t) => {
  const { given } = specificationOf(t, apps)
  const configure = { type: 'ConfigureApp', ...of, settings } as const
  const assign = { type: 'AssignApp', ...of, client_code: 'acme', settings: client } as const
  const close = { type: 'SetAvailability', ...of, is_available: false } as const

  t.test('given none, when it is configured, then it exists; repeating it changes nothing', async () => {
    given().when(configure).then(configured)
    given(configured).when(configure).thenNothing()
    const other = { ...settings, name: 'Shop 2' }
    given(configured)
      .when({ ...configure, settings: other })
      .then({ type: 'AppConfigured', data: { ...of, settings: other } })
  })
  t.test('given an app, when it is assigned, then the client has it; unknown capabilities are refused', async () => {
    given(configured).when(assign).then(assigned)
    given(configured, assigned).when(assign).thenNothing()
    given().when(assign).thenRefused('app_context_not_found')
    for (const wrong of [{ methods: ['apple'] }, { capabilities: ['locker_pickup'] }])
      given(configured)
        .when({ ...assign, settings: { ...client, ...wrong } })
        .thenRefused('unknown_value')
  })
  t.test('given an app, when it or its assignment is closed, then each happens once', async () => {
    const closed: AppEvent = { type: 'AppAvailabilitySet', data: { ...of, is_available: false } }
    given(configured).when(close).then(closed)
    given(configured, closed).when(close).thenNothing()
    given(configured, assigned)
      .when({ ...close, client_code: 'acme' })
      .then({ type: 'AssignmentAvailabilitySet', data: { ...of, client_code: 'acme', is_available: false } })
    given(configured)
      .when({ ...close, client_code: 'acme' })
      .thenRefused('app_context_not_found')
  })
  t.test('given its changes, when they are folded, then each increments the configuration version', async (t) => {
    const closed: AppEvent = {
      type: 'AssignmentAvailabilitySet',
      data: { ...of, client_code: 'acme', is_available: false },
    }
    const app = [configured, assigned, closed, configured].reduce(apps.evolve, apps.initial()) as App
    t.equal(app.configurationVersion, 4)
    t.equal(availableClient(app, 'acme'), undefined)
    t.equal(availableClient(apps.evolve(apps.evolve(undefined, configured), assigned), 'acme')?.settings, client)
    t.equal(availableClient(undefined, 'acme'), undefined)
    t.equal(apps.evolve(undefined, assigned), undefined)
  })
})

t.test('given the settings of a client, when a shortcut is repeated, then they are refused', async (t) => {
  t.same(parse(clientSettings, { ...client, quick_actions: ['send', 'pay'] }).findings, undefined)
  t.match(parse(clientSettings, { ...client, quick_actions: ['send', 'pay', 'send'] }).findings, [
    { path: 'quick_actions[2]', code: 'not_unique' },
  ])
})

t.test('given the issuer of an identity provider, when it is not reached safely, then it is refused', async (t) => {
  const findings = (issuer: string) =>
    parse(appSettings, { ...settings, providers: [{ name: 'google', issuer, audience: 'aud' }] }).findings
  const right = ['https://idp.example', 'http://localhost:8080', 'http://127.0.0.1/realm', 'http://[::1]:1']
  for (const issuer of right) t.same(findings(issuer), undefined, issuer)
  const wrong = [
    'http://idp.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://127.0.0.1@idp.example',
  ]
  for (const issuer of wrong)
    t.match(findings(issuer), [{ path: 'providers[0].issuer', code: 'issuer_not_https' }], issuer)
})

t.test('versions are ordered by Semantic Versioning 2.0.0, section 11', async (t) => {
  const ordered = [
    ...['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11'],
    ...['1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0', '10.0.0'],
  ]
  for (const [index, one] of ordered.entries())
    for (const [place, other] of ordered.entries())
      t.equal(Math.sign(compareVersions(one, other)), Math.sign(index - place), `${one} and ${other}`)
  t.equal(compareVersions('1.0.0+one', '1.0.0+two'), 0)
  const grammar = ['0.0.0', '1.0.0-0', '1.0.0-0a', '1.0.0-x-y.7', '1.0.0+001', '1.0.0-alpha+001.exp', '1.0.0--1']
  for (const right of [...ordered, ...grammar]) t.match(right, versionPattern)
  for (const wrong of ['1', '1.2', 'v1.2.3', '1.2.3-', '1.2.3 ', '', '1.2.3.4', '1.2.3+', '1.2.3+a..b', '1.2.3-a..b'])
    t.notMatch(wrong, versionPattern)
  for (const led of ['01.2.3', '1.02.3', '1.2.03', '1.2.3-01', '1.2.3-a.00']) t.notMatch(led, versionPattern)
})

t.test('the version policy says what must and what should be updated', async (t) => {
  const of = (version?: string, platform = 'ios') => versionPolicy(settings.versions, platform, version)
  t.match(of('1.1.9'), {
    minimum_version: '1.2.0',
    latest_version: '1.4.0',
    update_required: true,
    update_recommended: true,
  })
  t.match(of('1.2.0'), { update_required: false, update_recommended: true })
  t.match(of('1.4.0'), { update_required: false, update_recommended: false })
  t.match(of(), { platform: 'ios', update_required: false, update_recommended: false })
  t.match(of('0.0.1', 'android'), { platform: 'android', minimum_version: null, update_required: false })
})
