import type { Hono } from 'hono'
import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { signingOn } from '../../../auth/sign-on/sign-on.test.fixture.ts'
import { browse, judge, listening, skip } from '../../browser.test.fixture.ts'

const eve = 'client_employee@one.example'
const admin = 'client_admin@one.example'

/** A listening server whose people sign in with a provider of another site, and a page in its own browser. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const served: { app?: Hono } = {}
  const url = (await listening(t, async (request) => (await served.app?.fetch(request)) ?? new Response())).replace(
    '127.0.0.1',
    'localhost',
  )
  const made = await signingOn(t, { baseUrl: url })
  served.app = made.app
  return { ...made, url, ...(await browse(t, options)) }
}

/** Checks a page on a phone and a desk, and with axe. */
async function check(t: Test, page: Page, name: string) {
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    t.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${name} at ${width}`)
  }
  await judge(t, page, name)
  if (process.env.SCREENSHOTS !== undefined)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name.replaceAll(' ', '-')}.png`, fullPage: true })
}

/** Signs on at the page with the form. */
async function signOn(page: Page, email: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Sign in with Acme' }).click()
}

t.test(
  'given a browser without script, when somebody signs on, then she gets to the page that she wanted',
  { skip },
  async (t) => {
    const { page, url, person, wrong } = await visit(t, { javaScriptEnabled: false })
    person({ email: eve })
    await page.goto(`${url}/mcp-connections?lang=fr`)
    await page.getByLabel('Adresse e-mail').fill(eve)
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByRole('button', { name: 'Se connecter avec Acme' }).click()
    await page.getByRole('button', { name: /Se déconnecter|Sign out/ }).waitFor()
    t.equal(new URL(page.url()).pathname, '/mcp-connections')
    const cookies = await page.context().cookies()
    t.same(
      cookies.map(({ name, sameSite, httpOnly }) => [name, sameSite, httpOnly]),
      [['otep_session', 'Strict', true]],
    )
    await page.goto(`${url}/account`)
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    t.same(wrong, [])
  },
)

t.test(
  'given another browser, when it gets the address with the code, then it is not signed in',
  { skip },
  async (t) => {
    const { page, url, person, idp, leave, pass } = await visit(t)
    person({ email: eve })
    await page.goto(url + (await pass(await leave(eve))))
    t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'You are not signed in')
    await page.goto(`${url}/account`)
    t.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0)
    t.equal(idp.redeemed.length, 0, 'the code was not even sent to the provider')
  },
)

t.test('given each page of a sign-on, then it is accessible, and never scrolls sideways', { skip }, async (t) => {
  const { page, url, person } = await visit(t)
  await page.goto(`${url}/account`)
  await check(t, page, 'the address first')
  await page.getByLabel('Email address').fill(eve)
  await page.getByRole('button', { name: 'Continue' }).click()
  await check(t, page, 'the ways to sign in')
  person({ email: 'nobody@one.example' })
  await page.getByRole('button', { name: 'Sign in with Acme' }).click()
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await check(t, page, 'nobody signed in')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

t.test(
  'given an admin without script, when she sets up single sign-on by keyboard, then it works',
  { skip },
  async (t) => {
    const { page, url, person, idp, zone } = await visit(t, { javaScriptEnabled: false })
    person({ email: admin })
    await page.goto(`${url}/keys/identity`)
    await signOn(page, admin)
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
    t.equal(await page.getByLabel('Issuer').inputValue(), idp.issuer)
    t.match(await page.getByText('/account/sign-on/1').textContent(), `${url}/account/sign-on/1`)
    t.equal(await page.getByLabel('Client secret').inputValue(), '')
    await page.getByLabel('Name', { exact: true }).fill('Acme Keycloak')
    await page.getByLabel('Staff with an address').check()
    await page.getByLabel('When somebody without').selectOption('client_employee')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The identity provider is saved.').waitFor()
    t.ok(await page.getByLabel('Staff with an address').isChecked())
    await page.getByLabel('Domain', { exact: true }).fill('Sub.One.example')
    await page.keyboard.press('Enter')
    await page.getByText('The domain is claimed.').waitFor()
    await page.getByRole('button', { name: 'Check: sub.one.example' }).click()
    await page.getByText('The DNS has no TXT record').waitFor()
    const row = page.getByRole('row', { name: /sub\.one\.example/ })
    zone.set('_otep-sign-on.sub.one.example', (await row.locator('code').nth(1).textContent()) ?? '')
    await page.getByRole('button', { name: 'Check: sub.one.example' }).click()
    await page.getByText('The domain is proved.').waitFor()
    await page.getByLabel('Issuer').fill('http://elsewhere.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('must begin with https').waitFor()
    t.equal(await page.getByLabel('Issuer').inputValue(), 'http://elsewhere.example', 'what was entered stays')
    await page.getByRole('button', { name: 'Give back: sub.one.example' }).click()
    await page.getByRole('button', { name: 'Remove the identity provider' }).click()
    await page.getByText('The identity provider is removed.').waitFor()
  },
)

t.test(
  'given the page of the identity provider, then it is accessible, and never scrolls sideways',
  { skip },
  async (t) => {
    const { page, url, person, claim } = await visit(t)
    await claim('a-very-long-name-of-a-domain-that-nobody-would-want-to-type.one.example')
    person({ email: admin })
    await page.goto(`${url}/keys/identity`)
    await signOn(page, admin)
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
    await check(t, page, 'the identity provider')
  },
)

t.test(
  'given staff that has to sign on, when somebody uses a passkey alone, then it is refused, and counts as the second step',
  { skip },
  async (t) => {
    const { page, url, person, set } = await visit(t)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const kind = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const
    const able = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
    await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...able } })
    const press = (name: string) => page.getByRole('button', { name }).click()
    person({ email: admin })
    await page.goto(`${url}/account`)
    await signOn(page, admin)
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    t.equal((await set({ required_of: 'staff' })).status, 200)
    await press('Add a passkey')
    await page.getByLabel('Name of the device').fill('Laptop')
    await press('Make the passkey')
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await press('Sign out')
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
    await press('Use a passkey')
    await page.getByText('Your business wants you to sign in with Acme.').waitFor()
    await signOn(page, admin)
    await page
      .getByRole('heading', { name: 'One more step' })
      .or(page.getByRole('heading', { name: 'passkey' }))
      .waitFor()
    await press('Use a passkey')
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    t.equal(await page.getByText('This session').count(), 1)
  },
)
