import t, { type Test } from 'tap'
import { type Rules, registering } from '../../auth/people/registration.test.fixture.ts'
import { languagesWith } from '../../locales/catalogue.ts'
import { beginningIn } from './calling-codes.ts'

const languages = languagesWith('page.register')

const path = '/register/shop/one'
const zoe = 'zoe@shop.example'
const plain: Rules = { requires_approval: false, phone_verification_required: false }

/** A server with an app in which customers register, and its page. */
async function shop(rules: Rules | 'nobody' = plain, options: Parameters<typeof registering>[1] = {}) {
  const made = await registering(rules === 'nobody' ? undefined : rules, options)
  const page = async (at: string, fields?: Readonly<Record<string, string>>, headers: Record<string, string> = {}) => {
    const form = fields && { method: 'POST', body: new URLSearchParams(fields) }
    const response = await made.app.request(at, { ...form, headers })
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  const sent = async (fields: Readonly<Record<string, string>>) => {
    const { html } = await page(path, fields)
    return { registration: /name="registration" value="([^"]+)"/.exec(html)?.[1] ?? '', ...fields }
  }
  const finish = (fields: Readonly<Record<string, string>>) =>
    page(`${path}/confirm`, { name: 'Zoé Lambert', password: 'a much better password', ...fields })
  return { ...made, page, sent, finish }
}

t.test(
  'given a client that lets customers register, when somebody has the code, then the account is open',
  async (t) => {
    const { page, sent, finish, nextCode, send, tokens, signIn } = await shop()
    const first = await page(path)
    t.match(first, { status: 200, html: /Register with Acme[\s\S]*an account for Shop/ })
    t.notMatch(first.html, /name="phone"|approves/)
    t.equal(first.headers.get('cache-control'), 'no-store')
    const registration = await sent({ email: zoe })
    const code = await nextCode()
    t.match(await finish({ ...registration, code: code === '000000' ? '000001' : '000000' }), {
      ...{ status: 422, html: /A code is wrong[\s\S]*value="Zoé Lambert"/ },
    })
    const done = await finish({ ...registration, code })
    t.match(done, { status: 200, html: /Your account is open[\s\S]*Sign in to Shop/ })
    t.equal(done.headers.get('set-cookie'), null, 'nobody is signed in by it')
    t.equal((await signIn(zoe)).status, 200, 'in the app')
    const { accounts } = (await send('GET', '/api/v1/accounts?role=customer', { token: tokens.client_admin })).body
    t.match(accounts.at(-1), { name: 'Zoé Lambert', email: zoe, is_active: true })
    t.match(await finish({ ...registration, code }), { status: 409, html: /There is an account with this email/ })
  },
)

t.test('given a client that asks for a phone, then both codes are needed, and the country comes first', async (t) => {
  const { page, sent, finish, nextCode, texts, send, tokens, parts } = await shop({
    ...plain,
    phone_verification_required: true,
  })
  t.match((await page(path)).html, 'value="+1"', 'a number of Canada')
  t.match(await page(path, { email: zoe, phone: '+1' }), { status: 422, html: /not a phone number[\s\S]*value="zoe@/ })
  t.match(await page(path, { email: 'zoe', phone: '+14165550100' }), { status: 422, html: /not an email address/ })
  const registration = await sent({ email: zoe, phone: '+1 (416) 555-01.00' })
  const code = await nextCode()
  await parts.messenger.close()
  t.equal(texts[0]?.to, '+14165550100')
  t.match(await finish({ ...registration, code }), { status: 422 }, 'without the second code')
  const phone_code = /\d{6}/.exec(texts[0]?.text ?? '')?.[0] ?? ''
  t.match(await finish({ ...registration, code, phone_code }), { status: 200 })
  const { accounts } = (await send('GET', '/api/v1/accounts?role=customer', { token: tokens.client_admin })).body
  t.match(accounts.at(-1), { phone: '+14165550100' })
})

t.test('given a client that approves accounts, then the page says so before and after', async (t) => {
  const { page, sent, finish, nextCode, send, tokens } = await shop({ ...plain, requires_approval: true })
  t.match((await page(path)).html, 'Acme approves each account')
  const registration = await sent({ email: zoe })
  t.match(await finish({ ...registration, code: await nextCode() }), { html: /waits for approval[\s\S]*when Acme/ })
  const { accounts } = (await send('GET', '/api/v1/accounts?role=customer', { token: tokens.client_admin })).body
  t.match(accounts.at(-1), { is_active: false, awaits_approval: true })
})

t.test('given what somebody entered wrong, then the page says what, and keeps the rest but the password', async (t) => {
  const { sent, finish, nextCode } = await shop()
  const registration = await sent({ email: zoe })
  const code = await nextCode()
  const weak = await finish({ ...registration, code, password: 'zoe lambert' })
  t.match(weak, { status: 422, html: /would soon be guessed/ })
  t.notMatch(weak.html, 'value="zoe lambert"')
  t.match(await finish({ ...registration, code, name: ' ' }), { status: 422, html: /enter your name/ })
  t.match(await finish({ ...registration, code, registration: 'x' }), { status: 422, html: /A code is wrong/ })
  for (let tries = 0; tries < 5; tries++) await finish({ ...registration, code: 'wrong' })
  const late = await finish({ ...registration, code })
  t.match(late, { status: 429, html: /Too many failed attempts/ })
  t.ok(Number(late.headers.get('retry-after')) > 0)
})

t.test(
  'given an address that has an account, then the page answers as for any other, and its owner learns of it',
  async (t) => {
    const { page, box } = await shop()
    const [known, other] = [await page(path, { email: 'customer@one.example' }), await page(path, { email: zoe })]
    const without = (html: string) => html.replace(/value="[^"]*"|customer@one\.example|zoe@shop\.example/g, '')
    t.equal(without(known.html), without(other.html))
    t.match((await box.next()).subject, 'You already have an account')
  },
)

t.test('given an app, a client or a server that lets nobody register, then the page says so', async (t) => {
  const { page } = await shop()
  for (const [at, status] of [
    ['/register/other/one', 404],
    ['/register/shop/other', 404],
  ] as const)
    t.match(await page(at), { status, html: /Nobody can register here/ })
  for (const [rules, options] of [
    ['nobody', {}],
    [plain, { mail: undefined }],
  ] as const) {
    const closed = await shop(rules, options)
    t.match(await closed.page(path), { status: 403, html: /Nobody can register here/ })
    t.match(await closed.page(path, { email: zoe }), { status: 403 })
  }
  const silent = await shop({ ...plain, phone_verification_required: true }, { sms: undefined })
  t.match(await silent.page(path), { status: 403 }, 'without text messages there is no code for a phone')
  t.match(
    await page(path, { email: zoe }, { 'Sec-Fetch-Site': 'cross-site' }),
    { status: 403 },
    'a form of another site',
  )
  t.match(await page(`${path}/confirm`), { status: 303 })
})

t.test('given a reader of any language, then the page and the e-mail are in it', async (t) => {
  const { page, box } = await shop()
  const titles = new Set<string>()
  for (const lang of languages) {
    const { html } = await page(`${path}?lang=${lang}`)
    t.match(html, `<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"`)
    titles.add(/<h1>([^<]+)/.exec(html)?.[1] ?? '')
  }
  t.equal(titles.size, languages.length)
  t.match((await page(`${path}?lang=de`, { email: zoe })).html, 'action="/register/shop/one/confirm?lang=de"')
  t.match((await box.next()).subject, 'ist Ihr Code')
  t.match((await page(path, undefined, { 'Accept-Language': 'es' })).html, 'Registrarse en Acme')
})

t.test('the country of a client says how a number begins', (t: Test) => {
  const begins = { FR: '+33', CA: '+1', DE: '+49', GB: '+44', CN: '+86', TW: '+886', AQ: '+', constructor: '+' }
  for (const [country, beginning] of Object.entries(begins)) t.equal(beginningIn(country), beginning, country)
  t.end()
})
