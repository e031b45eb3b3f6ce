import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { passwordOf, world } from '../../../auth/world.test.fixture.ts'
import { languagesWith } from '../../../locales/catalogue.ts'
import { proof } from '../../../oauth/program.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const languages = languagesWith('page.connections')

const home = '/mcp-connections'
const { verifier, challenge: code_challenge } = proof()

/** A listening server, a program that has registered, a page in its own browser, and where the program sends people. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const { app, send } = await world()
  const url = await listening(t, app.fetch)
  const back = await listening(
    t,
    () => new Response('<h1>The program</h1>', { headers: { 'Content-Type': 'text/html' } }),
  )
  const name = `Desk ${'W'.repeat(94)}`
  const body = { redirect_uris: [`${back}/callback`], client_name: name }
  const { client_id } = (await send('POST', '/oauth/register', { body })).body
  const asked = { response_type: 'code', client_id, redirect_uri: `${back}/callback`, code_challenge, scope: 'full' }
  const query = new URLSearchParams({ ...asked, code_challenge_method: 'S256' })
  /** The program exchanges the code with which somebody has come back to it. */
  const redeem = (came: string) => {
    const code = new URL(came).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', client_id, code, code_verifier: verifier }
    return app.request('/oauth/token', { method: 'POST', body: new URLSearchParams(fields) })
  }
  return { url, back, redeem, address: `${url}/oauth/authorize?${query}`, ...(await browse(t, options)) }
}

t.test(
  'given a program that sends somebody here, when they allow or refuse, then it works without script',
  { skip },
  async (t) => {
    const { url, back, address, page, wrong } = await visit(t, { javaScriptEnabled: false })
    await page.goto(address)
    t.match(page.url(), `${url}${home}/consent/`)
    await signIn(page)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('heading', { name: 'The program' }).waitFor()
    t.match(page.url(), `${back}/callback?error=access_denied`)
    await page.goto(address)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'The program' }).waitFor()
    t.match(page.url(), `${back}/callback?code=otc_`)
    t.same(wrong, [])
  },
)

t.test(
  'given a page of somebody else, when it sends a person here, then the person is asked, and the page gets nothing by itself',
  { skip },
  async (t) => {
    const { url, back, address, page } = await visit(t)
    await page.goto(`${url}${home}`)
    await signIn(page)
    await page.goto(back.replace('127.0.0.1', 'localhost'))
    await page.setContent(`<a href="${address.replaceAll('&', '&amp;')}">here</a>`)
    await page.getByText('here').click()
    await page.getByRole('heading', { name: 'May this program act in your name?' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Allow' }).count(), 1)
    await page.goto(back.replace('127.0.0.1', 'localhost'))
    await page.setContent(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`)
    await page.waitForLoadState('networkidle')
    const framed = await Promise.all(page.frames().map((frame) => frame.getByRole('button').count()))
    t.same([...new Set(framed)], [0], 'no frame shows the question')
  },
)

t.test(
  'given seven languages, when the pages are shown, then they are in that language to the end, and axe finds nothing',
  { skip },
  async (t) => {
    const { url, address, redeem, page } = await visit(t)
    const titles = new Set<string | null>()
    for (const language of languages) {
      await page.goto(`${address}&lang=${language}`)
      const form = await page.locator('main.sign-in').count()
      if (form > 0) {
        await judge(t, page, `the form, ${language}`)
        await page.locator('#email').fill('client_admin@one.example')
        await page.locator('#password').fill(passwordOf('client_admin'))
        await page.keyboard.press('Enter')
      }
      await page.locator('table.scopes').waitFor()
      t.equal(await page.locator('html').getAttribute('lang'), language)
      t.equal(await page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr')
      titles.add(await page.locator('h1').textContent())
      await judge(t, page, `the question, ${language}`)
      await page.locator('form[action*="/allow"] button:not(.plain)').click()
      await page.getByRole('heading', { name: 'The program' }).waitFor()
      t.equal((await redeem(page.url())).status, 200)
      await page.goto(`${url}${home}?lang=${language}`)
      await judge(t, page, `the list, ${language}`)
      await page.locator('.grants form button').first().click()
      await page.locator('p.result.good').waitFor()
      t.equal(await page.locator('html').getAttribute('lang'), language, 'and after the form, too')
      await page.locator('form.account button').click()
      await page.locator('p.result.good').waitFor()
    }
    t.equal(titles.size, languages.length)
  },
)

t.test(
  'given screens from 320 to 1280 pixels, when a page is shown, then it never scrolls sideways',
  { skip },
  async (t) => {
    const { url, address, redeem, page } = await visit(t)
    await page.goto(address)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'The program' }).waitFor()
    t.equal((await redeem(page.url())).status, 200)
    for (const language of languages)
      for (const width of [320, 390, 704, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        for (const path of [`${address}&lang=${language}`, `${url}${home}?lang=${language}`]) {
          await page.goto(path)
          t.ok((await widest(page)) <= width, `${language} at ${width}`)
        }
      }
  },
)
