import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { world } from '../../../auth/world.test.fixture.ts'
import { browse, judge, listening, signIn, skip, widest } from '../../browser.test.fixture.ts'

const delivery = { name: 'Zoé Lambert', address: { street: '12 rue des Lilas', locality: 'Lyon', country: 'FR' } }
const hostile = '<script>alert(1)</script><img src=x onerror=alert(2)>'
const home = '/mcp-approvals'

/** A listening server with two orders and three proposals, and a page in its own browser. */
async function visit(t: Test, options: BrowserContextOptions = {}) {
  const { app, send, tokens } = await world()
  const url = await listening(t, app.fetch)
  const order = async (): Promise<number> =>
    (await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: { type: 'D', delivery } })).body.order_id
  const propose = async (tool: string, input: object, reason: string): Promise<number> => {
    const body = { tool, arguments: input, reason }
    return (await send('POST', '/api/v1/approvals', { token: tokens.client_employee, body })).body.proposal_id
  }
  const statusOf = async (id: number): Promise<string> =>
    (await send('GET', `/api/v1/orders/${id}`, { token: tokens.client_admin })).body.order.status
  const orders = [await order(), await order()] as const
  const proposals = {
    cancel: await propose('cancel_order', { order_id: orders[0] }, 'It was ordered twice.'),
    hold: await propose('hold_order', { order_id: orders[1] }, 'W'.repeat(400)),
    note: await propose('update_order_note', { order_id: orders[1], note: hostile }, hostile),
  }
  return { url, orders, proposals, statusOf, ...(await browse(t, options)) }
}

t.test(
  'given proposals, when a visitor signs in, approves one and rejects another, then it works without script',
  { skip },
  async (t) => {
    const { url, page, wrong, orders, proposals, statusOf } = await visit(t, { javaScriptEnabled: false })
    await page.goto(url + home)
    await signIn(page)
    t.equal(page.url(), url + home)
    await page.getByRole('link', { name: 'Cancel order' }).click()
    t.equal(await page.locator('h1').textContent(), 'Cancel order')
    t.equal(await page.locator('.fact del').textContent(), 'NEW_ORDER')
    t.equal(await page.locator('.fact ins').textContent(), 'CANCELLED')
    t.equal(await statusOf(orders[0]), 'NEW_ORDER', 'viewing changes nothing')
    await page.getByRole('button', { name: 'Approve and carry out' }).click()
    t.equal(await page.getByRole('status').textContent(), 'Approved: it has been carried out.')
    t.equal(page.url(), `${url}${home}/${proposals.cancel}?done=yes`)
    t.equal(await statusOf(orders[0]), 'CANCELLED')
    await page.reload()
    t.equal(await page.getByRole('status').count(), 1, 'it can be loaded again')
    await page.getByRole('link', { name: 'All proposals' }).click()
    t.equal(await page.locator('.proposals > li').count(), 2)
    await page.getByRole('link', { name: 'Hold order' }).click()
    await page.getByLabel('Reason').fill('Not\nneeded')
    await page.getByRole('button', { name: 'Reject' }).click()
    t.equal(await page.getByRole('status').textContent(), 'Rejected: nothing was done.')
    t.equal(await statusOf(orders[1]), 'NEW_ORDER')
    await page.getByRole('button', { name: 'Sign out' }).click()
    t.equal(await page.getByRole('status').textContent(), 'You have signed out.')
    await page.goBack()
    await page.reload()
    t.equal(await page.getByLabel('Password').count(), 1, 'after signing out, the page is not shown again')
    t.same(wrong, [])
  },
)

t.test(
  'given a result, when its page opens, then the focus is on it, and scripts cannot read the token',
  { skip },
  async (t) => {
    const { url, page, proposals } = await visit(t)
    await page.goto(`${url}${home}/${proposals.note}`)
    await page.getByLabel('Email address').fill('client_admin@one.example')
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    t.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'alert')
    await signIn(page)
    t.equal(page.url(), `${url}${home}/${proposals.note}`, 'the requested proposal is shown after signing in')
    t.equal(await page.locator('script, img, iframe, [onerror]').count(), 0, 'hostile text has not become an element')
    t.equal(await page.evaluate('document.cookie'), '')
    t.equal(await page.evaluate("document.documentElement.outerHTML.includes('ots_')"), false)
    await page.getByRole('button', { name: 'Approve and carry out' }).click()
    await page.getByRole('status').waitFor()
    t.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'status')
  },
)

t.test(
  'given another site, when it links here or submits a form, then the link works and the form does not',
  { skip },
  async (t) => {
    const { url, page, orders, proposals, statusOf } = await visit(t)
    await page.goto(url + home)
    await signIn(page)
    await page.goto('about:blank')
    await page.setContent(`<a href="${url}${home}/${proposals.cancel}">here</a>`)
    await page.getByText('here').click()
    await page.locator('h1', { hasText: 'Cancel order' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Approve and carry out' }).count(), 1)
    const form = await page.locator('form[action$=approve] [name=form]').getAttribute('value')
    await page.goto('about:blank')
    await page.setContent(
      `<form method="post" action="${url}${home}/${proposals.cancel}/approve"><input name="form" value="${form}"><button>go</button></form>`,
    )
    await page.getByRole('button').click()
    await page.getByText('This form did not come from here').waitFor()
    t.equal(await statusOf(orders[0]), 'NEW_ORDER', 'though it had stolen the secret of the form')
  },
)

t.test(
  'given screens from 320 to 1280 pixels and words twice as long, when a page is shown, then it never scrolls sideways',
  { skip },
  async (t) => {
    const { url, page, proposals } = await visit(t)
    await page.goto(url + home)
    const longer =
      "const walk = document.createTreeWalker(document.body, 4); for (let n; (n = walk.nextNode()); ) n.data = n.data.replace(/(\\p{L}{3,})/gu, '$1$1')"
    const check = async (path: string) => {
      for (const width of [320, 390, 704, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(url + path)
        t.ok((await widest(page)) <= width, `${path} at ${width}`)
        await page.evaluate(longer)
        t.ok((await widest(page)) <= width, `${path} at ${width}, with longer words`)
      }
    }
    await check(home)
    await page.goto(url + home)
    await signIn(page)
    for (const path of [home, ...Object.values(proposals).map((id) => `${home}/${id}`), `${home}/999`])
      await check(path)
  },
)

t.test('given the accessibility checker axe, when it checks the pages, then it finds nothing', { skip }, async (t) => {
  const { url, page, proposals } = await visit(t)
  await page.goto(url + home)
  await judge(t, page, 'the form')
  await signIn(page)
  await judge(t, page, 'the list')
  for (const id of Object.values(proposals)) {
    await page.goto(`${url}${home}/${id}`)
    await judge(t, page, `proposal ${id}`)
  }
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('status').waitFor()
  await judge(t, page, 'a result')
  await page.goto(`${url}${home}/999`)
  await judge(t, page, 'a proposal that is none')
  await page.goto(`${url}${home}/${proposals.cancel}`)
  const rooms = [
    '/today',
    '/orders',
    '/records',
    '/money',
    '/mark-ups',
    home,
    '/mcp-connections',
    '/keys',
    '/webhooks',
    '/webhooks/deliveries',
    '/account',
  ].map((path) => `.rooms a[href='${path}']`)
  const order = [
    'a.skip',
    'a.brand',
    '.languages summary',
    '.account button',
    ...rooms,
    '.back a',
    '[action$=approve] button',
    'textarea',
    '.refuse',
  ]
  for (const selector of order) {
    await page.keyboard.press('Tab')
    t.equal(await page.locator(`${selector}:focus`).count(), 1, `${selector} is reached by Tab`)
    const outline = await page.evaluate('parseFloat(getComputedStyle(document.activeElement).outlineWidth)')
    t.ok(Number(outline) >= 2, `${selector} shows that it has the focus`)
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('status').waitFor()
})

t.test(
  'given the pages in German and in Arabic, when a proposal is decided, then axe finds nothing, and they stay in the language',
  { skip },
  async (t) => {
    const { url, page, proposals, statusOf, orders, wrong } = await visit(t)
    await page.goto(`${url}${home}`)
    await signIn(page)
    for (const [language, dir, id, approve] of [
      ['de', 'ltr', proposals.cancel, 'Genehmigen und ausführen'],
      ['ar', 'rtl', proposals.hold, 'الموافقة والتنفيذ'],
    ] as const) {
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        for (const path of ['', `/${id}`, `/${proposals.note}`, '/999']) {
          await page.goto(`${url}${home}${path}?lang=${language}`)
          t.equal(await page.locator('html').getAttribute('dir'), dir)
          await judge(t, page, `${language}${path} at ${width}`)
          t.ok((await widest(page)) <= width, `${language}${path} is no wider than ${width}`)
        }
      }
      await page.goto(`${url}${home}?lang=${language}`)
      await page.locator(`.proposals a[href*='/${id}?']`).click()
      await page.getByRole('button', { name: approve }).click()
      await page.getByRole('status').waitFor()
      t.equal(page.url(), `${url}${home}/${id}?done=yes&lang=${language}`)
      await judge(t, page, `the result, ${language}`)
    }
    t.same([await statusOf(orders[0]), await statusOf(orders[1])], ['CANCELLED', 'HOLD'])
    await page.locator('.account button').click()
    await page.getByRole('status').waitFor()
    t.equal(await page.locator('html').getAttribute('lang'), 'ar', 'after signing out, too')
    t.same(
      wrong.filter((one) => !one.includes('404')),
      [],
    )
  },
)
