import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { passwordOf, world } from '../../../auth/world.test.fixture.ts'
import { mailbox } from '../../../mail/mailbox.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const home = '/account'
const admin = 'client_admin@one.example'

/** A listening server with a mail server in memory, and a page in its own browser. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const box = mailbox()
  const made = await world({ mail: box.mail })
  const url = await listening(t, made.app.fetch)
  /** The links in e-mails name the address of the harness. */
  const here = async () => {
    const { pathname, search } = await box.nextLink()
    return url + pathname + search
  }
  return { ...made, box, url, here, ...(await browse(t, options)) }
}

t.test(
  'given a forgotten password, when the link is followed without script, then the new one signs in',
  { skip },
  async (t) => {
    const { page, url, here, wrong } = await visit(t, { javaScriptEnabled: false })
    await page.goto(url + home)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email address').fill(admin)
    await page.getByRole('button', { name: 'Send the link' }).click()
    t.match(await page.getByRole('heading', { level: 1 }).textContent(), 'Look into your mailbox')
    const link = await here()
    await page.goto(link)
    await page.getByLabel('New password').fill(admin)
    await page.getByRole('button', { name: 'Set the password' }).click()
    t.match(await page.getByRole('alert').textContent(), 'made of the name')
    await page.getByLabel('New password').fill('several unrelated words')
    await page.getByRole('button', { name: 'Set the password' }).click()
    t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Your password is set')
    await page.goto(link)
    t.match(await page.getByRole('heading', { level: 1 }).textContent(), 'not valid any more')
    await page.goto(url + home)
    await page.getByLabel('Email address').fill(admin)
    await page.getByLabel('Password').fill('several unrelated words')
    await page.getByRole('button', { name: 'Sign in' }).click()
    t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Your account')
    t.same(
      wrong.filter((text) => !/4\d\d/.test(text)),
      [],
    )
  },
)

t.test('given several sessions, when they are ended on the page, then only this one is left', { skip }, async (t) => {
  const { page, url, send, wrong } = await visit(t)
  const login = () =>
    send('POST', '/api/v1/user/login', {
      body: { email: admin, password: passwordOf('client_admin') },
      headers: { 'User-Agent': 'curl/8.5.0' },
    })
  await login()
  await page.goto(url + home)
  await signIn(page)
  t.equal(await page.locator('.sessions > li').count(), 3)
  t.match(await page.locator('.sessions > li', { hasText: 'This session' }).textContent(), 'Chrome on Linux')
  await page.getByRole('button', { name: 'End the session of curl' }).click()
  t.equal(await page.getByRole('status').textContent(), 'The session has ended.')
  t.equal(await page.locator('.sessions > li').count(), 2)
  await login()
  await page.getByRole('button', { name: 'End all others' }).click()
  t.equal(await page.getByRole('status').textContent(), 'Other sessions that ended: 2.')
  t.equal(await page.locator('.sessions > li').count(), 1)
  t.equal(await page.getByRole('button', { name: 'End all others' }).count(), 0)
  t.same(wrong, [])
})

t.test('given each page of an account, then it is accessible, and never scrolls sideways', { skip }, async (t) => {
  const { page, url, send, here, tokens } = await visit(t)
  const check = async (path: string, name: string) => {
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      t.ok((await widest(page)) <= width, `${name} at ${width}`)
    }
    await judge(t, page, name)
  }
  await check(url + home, 'the sign-in')
  await check(`${url}${home}/forgotten`, 'a forgotten password')
  await send('POST', '/api/v1/user/password-reset', { body: { email: 'driver@one.example' } })
  await check(await here(), 'a new password')
  const body = { new_email: 'new@one.example', password: passwordOf('driver') }
  await send('POST', '/api/v1/user/email', { token: tokens.driver, body })
  await check(await here(), 'the confirmation of an address')
  await check(`${url}${home}/email?link=x`, 'a link that is not good')
  await page.goto(url + home)
  await signIn(page)
  await check(url + home, 'the account')
  if (process.env.SCREENSHOTS !== undefined)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/account.png`, fullPage: true })
})
