import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import axe from 'axe-core'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { passwordOf } from '../auth/world.test.fixture.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM_PATH || places.find((path) => existsSync(path))
const quiet = ['quic', 'gpu', 'background-networking', 'component-update', 'sync'].map((part) => `--disable-${part}`)

/** Why browser tests are skipped; false if they run. */
export const skip = executablePath === undefined && 'there is no Chromium here; CHROMIUM_PATH can name one'

/** Starts a server on a port of its own; it closes when the test ends. */
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

/** A page in its own browser, and everything that goes wrong in it. */
export async function browse(t: Test, options: BrowserContextOptions = {}) {
  const args = ['--no-sandbox', '--no-first-run', ...quiet]
  const browser = await chromium.launch({ executablePath: executablePath as string, args })
  t.teardown(() => browser.close())
  const page = await browser.newPage(options)
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

/** Checks the accessibility of a page with axe, in light and in dark. */
export async function judge(t: Test, page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(axe.source)
    const found = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
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
