import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import root, { type Test } from 'tap'
import { passwordOf } from '../auth/world.test.fixture.ts'

// A browser without the parts for a screen takes half of the CPU time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const places = names.map((name) => `/usr/bin/${name}`)
const executablePath = process.env.CHROMIUM_PATH || places.find((path) => existsSync(path))
const quiet = ['quic', 'gpu', 'background-networking', 'component-update', 'sync'].map((part) => `--disable-${part}`)

/** Why browser tests are skipped; false if they run. */
export const skip = executablePath === undefined && 'there is no Chromium here; CHROMIUM_PATH can name one'

/** Starts a server on its own port; it closes when the test ends. */
export async function listening(t: Test, fetch: Parameters<typeof serve>[0]['fetch']): Promise<string> {
  const server = await new Promise<ServerType>((resolve) => {
    const started: ServerType = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started))
  })
  t.teardown(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let browser: Promise<Browser> | undefined

/** The browser of all tests of a file. */
function theBrowser(): Promise<Browser> {
  if (browser === undefined) {
    const args = ['--no-sandbox', '--no-first-run', ...quiet]
    const started = chromium.launch({ executablePath: executablePath as string, args })
    browser = started
    root.teardown(async () => (await started).close())
  }
  return browser
}

/** A page with its own cookies and storage, and everything that goes wrong in it. */
export async function browse(t: Test, options: BrowserContextOptions = {}) {
  const context = await (await theBrowser()).newContext(options)
  t.teardown(() => context.close())
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('dialog', (dialog) => dialog.dismiss().then(() => wrong.push('a dialog opened')))
  return { page, wrong }
}

/** Signs in the admin of the first business, on the page with the form. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill('client_admin@one.example')
  await page.getByLabel('Password').fill(passwordOf('client_admin'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Checks the accessibility of a page with axe in light, and what depends on colours in dark, too. */
export async function judge(t: Test, page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  for (const [colorScheme, options] of [
    ['light', '{}'],
    ['dark', '{ runOnly: ["color-contrast", "link-in-text-block"] }'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    const found = await page.evaluate(
      `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
    )
    t.same(found, [], `${name} in ${colorScheme}`)
  }
}

/** How far a page extends to the right, in pixels, beside what is hidden and what scrolls on its own (a selector). */
export async function widest(page: Page, scrolling = '.hidden'): Promise<number> {
  return Number(
    await page.evaluate(
      `Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll('body *')].filter((e) => !e.closest('.hidden, ${scrolling} *')).map((e) => e.getBoundingClientRect().right))`,
    ),
  )
}
