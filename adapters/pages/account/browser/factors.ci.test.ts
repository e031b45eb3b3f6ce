import { createHash, createPrivateKey, sign } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { passwordOf, type World, world } from '../../../auth/world.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const home = '/account'
const admin = 'client_admin@one.example'

/** A server that browsers know by a name, as passkeys need, and a page in its own browser. */
async function visit(t: Test) {
  let app: World['app'] | undefined
  const here = await listening(t, (request, ...more) => app?.fetch(request, ...more) ?? new Response())
  const url = here.replace('127.0.0.1', 'localhost')
  const made = await world({ baseUrl: url })
  app = made.app
  return { ...made, url, ...(await browse(t)) }
}

/** A device of the browser that has a fingerprint reader, and a way to say whether it knows the finger. */
async function withDevice(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const kind = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const
  const able = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...able } })
  const kept = async () => {
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    return credentials[0] as NonNullable<(typeof credentials)[0]>
  }
  return {
    knows: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** The only passkey of the device, with its private key. */
    kept,
    /** Makes a passkey the only one of the device; `signCount` is how often it was used. */
    takes: async (credential: Awaited<ReturnType<typeof kept>>) => {
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}

async function enter(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill(admin)
  await page.getByLabel('Password').fill(passwordOf('client_admin'))
  await page.keyboard.press('Enter')
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Checks that a page is accessible and never scrolls sideways, and takes a picture of it if asked to. */
async function check(t: Test, page: Page, name: string): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    t.ok((await widest(page)) <= width, `${name} at ${width}`)
  }
  await judge(t, page, name)
  if (process.env.SCREENSHOTS !== undefined)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name.replaceAll(' ', '-')}.png`, fullPage: true })
}

/** Errors of the console, but those that say a refusal of ours again. */
const unexpected = (wrong: readonly string[]) => wrong.filter((text) => !/4\d\d/.test(text))

async function secretOn(page: Page): Promise<string> {
  const text = await page.locator('.secret code').first().textContent()
  return (text ?? '').replaceAll(' ', '')
}

const codeOf = (secret: string, { now }: World['clock']) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now })

t.test(
  'given an account, when an authenticator app is set up, then its codes and the recovery codes sign in, each once',
  { skip },
  async (t) => {
    const { page, url, clock, wrong } = await visit(t)
    await page.goto(url + home)
    await signIn(page)
    await press(page, 'Set up an authenticator app')
    await heading(page, 'Set up an authenticator app')
    t.equal(await page.locator('.qr img').count(), 1)
    const secret = await secretOn(page)
    t.match(await page.locator('.secret').textContent(), `secret=${secret}`)
    await check(t, page, 'an authenticator app')
    await page.getByLabel('Name').fill('Phone')
    await page.getByLabel('Code').fill('000000')
    await press(page, 'Confirm')
    t.match(await page.getByRole('alert').textContent(), 'The code is wrong')
    t.equal(await secretOn(page), secret, 'the app need not be set up again')
    await page.getByLabel('Code').fill(codeOf(secret, clock))
    await press(page, 'Confirm')
    await heading(page, 'Your recovery codes')
    const codes = await page.locator('.codes code').allTextContents()
    t.equal(codes.length, 10)
    await check(t, page, 'recovery codes')
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await heading(page, 'Your account')
    t.match(
      await page.locator('section', { hasText: 'Second factor' }).textContent(),
      /Phone.*Recovery codes left: 10/s,
    )
    await check(t, page, 'an account with a second factor')

    await press(page, 'Sign out')
    await enter(page)
    await heading(page, 'One more step')
    await check(t, page, 'the second step')
    await page.getByLabel('Code').fill(codeOf(secret, clock))
    await press(page, 'Sign in')
    t.match(await page.getByRole('alert').textContent(), 'was used before')
    clock.now += 30_000
    await page.getByLabel('Code').fill(codeOf(secret, clock))
    await press(page, 'Sign in')
    await heading(page, 'Your account')

    await press(page, 'Sign out')
    await enter(page)
    await page.getByLabel('Code').fill(codes[0] ?? '')
    await press(page, 'Sign in')
    await heading(page, 'Your account')
    t.match(await page.locator('main').textContent(), 'Recovery codes left: 9')
    clock.now += 16 * 60_000
    await press(page, 'Remove Phone')
    await heading(page, 'Sign in again first')
    t.same(unexpected(wrong), [])
  },
)

t.test(
  'given a passkey, then it signs in after a password and alone, and only if the device knows its owner',
  { skip },
  async (t) => {
    const { page, url, wrong, tokens, send } = await visit(t)
    const { knows } = await withDevice(page)
    await page.goto(url + home)
    await check(t, page, 'a sign-in with passkeys')
    await signIn(page)
    await press(page, 'Add a passkey')
    await heading(page, 'Add a passkey')
    await page.getByLabel('Name of the device').fill('Laptop')
    await check(t, page, 'a new passkey')
    await press(page, 'Make the passkey')
    await heading(page, 'Your recovery codes')
    t.equal((await send('GET', '/api/v1/user', { token: tokens.client_admin })).status, 401, 'others are signed out')
    await page.getByRole('link', { name: 'I have kept them' }).click()
    t.match(await page.locator('main').textContent(), /Laptop.*Passkey/s)
    await press(page, 'Add a passkey')
    await press(page, 'Make the passkey')
    t.match(await page.getByRole('alert').textContent(), 'No passkey was used', 'the device has one already')

    await press(page, 'Sign out')
    await enter(page)
    await heading(page, 'One more step')
    await check(t, page, 'the second step with a passkey')
    await knows(false)
    await press(page, 'Use a passkey')
    t.match(await page.getByRole('alert').textContent(), 'No passkey was used')
    await knows(true)
    await press(page, 'Use a passkey')
    await heading(page, 'Your account')

    await press(page, 'Sign out')
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
    await heading(page, 'Sign in with a passkey')
    await check(t, page, 'a sign-in with a passkey alone')
    await press(page, 'Use a passkey')
    await heading(page, 'Your account')
    await press(page, 'Remove Laptop')
    t.notMatch(await page.locator('main').textContent(), 'Laptop')
    await press(page, 'Sign out')
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
    await press(page, 'Use a passkey')
    t.match(await page.getByRole('alert').first().textContent(), 'wrong', 'one that was removed')
    await page.goto(url + home)
    await signIn(page)
    t.same(unexpected(wrong), [])
  },
)

/** A page where a passkey alone signs in. */
async function atPasskeySignIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}${home}/sign-in-passkey`)
  await heading(page, 'Sign in with a passkey')
}

/** A form that was sent. */
type Sent = Readonly<Record<'url' | 'body', string>>

/** Lets the page send its next form, and keeps it from the server. */
async function heldBack(page: Page, act: () => Promise<void>): Promise<Sent> {
  const form = page.waitForRequest((request) => request.method() === 'POST')
  await page.route('**/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await act()
  const sent = await form
  await page.unroute('**/*')
  return { url: sent.url(), body: sent.postData() ?? '' }
}

/** Sends the answer of a passkey, signed again if the device is to have counted further. */
function sendAnswer(page: Page, { url, body }: Sent, privateKey: string, further: number) {
  const form = new URLSearchParams(body)
  const answer = JSON.parse(form.get('passkey') ?? '')
  if (further > 0) {
    const { response } = answer
    const data = Buffer.from(response.authenticatorData, 'base64url')
    // The count is behind the hash of the party and the flags (WebAuthn, level 3, 6.1).
    data.writeUInt32BE(data.readUInt32BE(33) + further, 33)
    const client = createHash('sha256').update(Buffer.from(response.clientDataJSON, 'base64url')).digest()
    const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
    response.authenticatorData = data.toString('base64url')
    response.signature = sign(
      key.asymmetricKeyType === 'ed25519' ? null : 'sha256',
      Buffer.concat([data, client]),
      key,
    ).toString('base64url')
    form.set('passkey', JSON.stringify(answer))
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: new URL(url).origin }
  return page.request.post(url, { headers, data: form.toString() })
}

/** The answer of a passkey that does not sign in: the same page again, with a refusal. */
async function refused(t: Test, page: Page, what: string): Promise<void> {
  await page.locator('[role="alert"]:visible').waitFor()
  t.match(await page.getByRole('alert').first().textContent(), 'wrong', what)
  t.equal(new URL(page.url()).pathname.startsWith(home), true)
  t.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0, `${what} signs nobody in`)
}

/** At night alone (`OTEP_STORES=all`): on a busy machine it failed twice, for a reason that is not known yet. */
const skipByDay = process.env.OTEP_STORES === 'all' ? skip : 'it runs at night, since it failed on a busy machine'

t.test(
  'given a passkey, when it is copied, answers twice, or two tabs use it, then each answer signs in once and no copy does',
  { skip: skipByDay },
  async (t) => {
    const { page, url } = await visit(t)
    const device = await withDevice(page)
    await page.goto(url + home)
    await signIn(page)
    await press(page, 'Add a passkey')
    await page.getByLabel('Name of the device').fill('Laptop')
    await press(page, 'Make the passkey')
    await heading(page, 'Your recovery codes')
    const copy = await device.kept()

    const signOut = async () => {
      await page.goto(url + home)
      await press(page, 'Sign out')
    }
    await signOut()
    await atPasskeySignIn(page, url)
    const answer = await heldBack(page, () => press(page, 'Use a passkey'))
    /** Whether an answer signs in. */
    const send = async (further: number) => {
      await page.context().clearCookies()
      await sendAnswer(page, answer, copy.privateKey, further)
      await page.goto(url + home)
      return (await page.getByRole('button', { name: 'Sign out' }).count()) === 1
    }
    t.equal(await send(1), true, 'an answer that is signed anew')
    t.equal(await send(1), false, 'the same answer again')
    t.equal(await send(2), false, 'another answer to the same challenge, with a higher count')

    await device.takes({ ...copy, signCount: copy.signCount + 5 })
    await atPasskeySignIn(page, url)
    await press(page, 'Use a passkey')
    await heading(page, 'Your account')
    await signOut()
    const used = await device.kept()
    t.equal(used.signCount, copy.signCount + 6, 'the device counts')
    await device.takes(copy)
    await atPasskeySignIn(page, url)
    await press(page, 'Use a passkey')
    await refused(t, page, 'a copy, whose count is behind')

    const tab = await page.context().newPage()
    const other = await withDevice(tab)
    await device.takes(used)
    await other.takes(used)
    await Promise.all([page, tab].map((one) => atPasskeySignIn(one, url)))
    await Promise.all([page, tab].map((one) => press(one, 'Use a passkey')))
    await Promise.all(
      [page, tab].map((one) => one.locator('h1:text("Your account"), [role="alert"]:visible').first().waitFor()),
    )
    const outcomes = await Promise.all([page, tab].map((one) => one.getByRole('heading', { level: 1 }).textContent()))
    t.same(outcomes.toSorted(), ['Sign in with a passkey', 'Your account'], 'two answers with one count')

    await signOut()
    const latest = { ...used, signCount: used.signCount + 10 }
    await Promise.all([page, tab].map((one) => atPasskeySignIn(one, url)))
    await device.takes(latest)
    await press(page, 'Use a passkey')
    await heading(page, 'Your account')
    await other.takes({ ...latest, signCount: latest.signCount + 1 })
    await press(tab, 'Use a passkey')
    await heading(tab, 'Your account')
  },
)

t.test(
  'given a business that asks for a second factor, then its staff set it up at the sign-in, in their language',
  { skip },
  async (t) => {
    const { page, url, clock, send, tokens, wrong } = await visit(t)
    const body = { required_of: 'staff' }
    await send('PUT', '/api/v1/business/second-factor', { token: tokens.client_admin, body })
    await page.goto(`${url}/mcp-connections?lang=ar`)
    await page.locator('#email').fill(admin)
    await page.locator('#password').fill(passwordOf('client_admin'))
    await page.keyboard.press('Enter')
    await heading(page, 'إعداد عامل ثانٍ')
    await check(t, page, 'the set-up in Arabic')
    const secret = await secretOn(page)
    await page.locator('#code').fill(codeOf(secret, clock))
    await page.locator('main button').click()
    await heading(page, 'رموز الاسترداد')
    t.equal(await page.locator('.codes code').count(), 10)
    await page.locator('main a').click()
    await page.locator('form.account button').waitFor()
    t.equal(new URL(page.url()).pathname, '/mcp-connections')
    t.same(unexpected(wrong), [])
  },
)

t.test(
  'given an administrator with API keys, when a factor is set up, then keys, rule and lost devices are settled on pages',
  { skip },
  async (t) => {
    const { page, url, clock, send, tokens, ids, wrong } = await visit(t)
    const make = (token: string) =>
      send('POST', '/api/v1/api-keys', { token, body: { name: 'Import', scopes: ['orders:read'] } })
    await make(tokens.client_admin)
    await page.goto(url + home)
    await signIn(page)
    await press(page, 'Set up an authenticator app')
    await page.getByLabel('Code').fill(codeOf(await secretOn(page), clock))
    await press(page, 'Confirm')
    await heading(page, 'Your recovery codes')
    t.match(await page.locator('main').textContent(), 'Your API keys: 1.')
    await check(t, page, 'recovery codes beside API keys')
    await press(page, 'Revoke all my API keys')
    t.equal(await page.getByRole('status').textContent(), 'API keys that were revoked: 1.')

    await page.getByRole('link', { name: 'Second factors of the business' }).click()
    await heading(page, 'Second factors of the business')
    await check(t, page, 'second factors of the business')
    await page.getByLabel('It begins').selectOption('in 7 days')
    await press(page, 'Ask administrators and employees for one')
    await heading(page, 'Ask administrators and employees for a second factor')
    await check(t, page, 'a rule that is asked first')
    await press(page, 'Ask for it')
    t.equal(await page.getByRole('status').textContent(), 'The rule is saved.')
    t.match(await page.locator('main').textContent(), 'need a second factor to sign in from')

    const path = '/api/v1/user/second-factors/authenticator'
    const token = tokens.client_employee
    const { body: offer } = await send('POST', path, { token, body: {} })
    const body = { enrolment: offer.enrolment, code: codeOf(offer.secret, clock), name: 'Phone' }
    await send('POST', `${path}/confirm`, { token, body })
    await page.getByRole('link', { name: 'People' }).click()
    await heading(page, 'Accounts')
    await check(t, page, 'the accounts of a business')
    await page.goto(`${url}/records/account/${ids.client_employee}`)
    await page.getByRole('link', { name: 'Remove second factors' }).click()
    await heading(page, 'Remove second factors')
    await press(page, 'Preview')
    await check(t, page, 'a removal that is shown first')
    await press(page, 'Confirm: Remove second factors')
    t.match(await page.getByRole('status').textContent(), 'Done: Remove second factors.')
    t.same(unexpected(wrong), [])
  },
)
