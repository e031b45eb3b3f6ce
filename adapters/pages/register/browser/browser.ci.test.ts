import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { BrowserContextOptions } from 'playwright-core'
import t, { type Test } from 'tap'
import { type Rules, registering } from '../../../auth/people/registration.test.fixture.ts'
import { openMail } from '../../../mail/index.ts'
import { openSms } from '../../../sms/index.ts'
import { browse, judge, listening, skip, widest } from '../../browser.test.fixture.ts'

const path = '/register/shop/one'

/** A listening server that writes what it sends into files, and a page in its own browser. */
async function visit(t: Test, rules: Rules, options: BrowserContextOptions = {}) {
  const directory = t.testdir({ mails: {}, texts: {} })
  const mail = await openMail({ kind: 'file', directory: join(directory, 'mails'), from: 'otep@a.example' })
  const sms = openSms({ kind: 'file', directory: join(directory, 'texts'), from: '+14165550199' })
  const made = await registering(rules, { mail, sms })
  const url = await listening(t, made.app.fetch)
  /** The code in the first file that is written. */
  const codeIn = async (kind: 'mails' | 'texts'): Promise<string> => {
    for (;;) {
      const [name] = readdirSync(join(directory, kind))
      const text = name === undefined ? '' : readFileSync(join(directory, kind, name), 'utf8')
      const [code] = /(?<!\d)\d{6}(?!\d)/.exec(kind === 'mails' ? (/^Subject: .*$/m.exec(text)?.[0] ?? '') : text) ?? []
      if (code !== undefined) return code
      await setTimeout(20)
    }
  }
  return { ...made, url, codeIn, ...(await browse(t, options)) }
}

t.test(
  'given a browser without script, when somebody registers by e-mail and phone, then the account is open',
  { skip },
  async (t) => {
    const rules = { requires_approval: false, phone_verification_required: true }
    const { page, url, codeIn, signIn, wrong } = await visit(t, rules, { javaScriptEnabled: false, locale: 'fr' })
    await page.goto(url + path)
    await page.getByLabel('Adresse e-mail').fill('zoe@shop.example')
    t.equal(await page.getByLabel('Numéro de mobile').inputValue(), '+1')
    await page.getByLabel('Numéro de mobile').fill('+1 416 555 0100')
    await page.getByRole('button', { name: 'Envoyer le code' }).click()
    await page.getByRole('heading', { name: 'Saisissez le code' }).waitFor()
    await page.getByLabel('Code de l’e-mail').fill(await codeIn('mails'))
    await page.getByLabel('Code du SMS').fill(await codeIn('texts'))
    await page.getByLabel('Votre nom').fill('Zoé Lambert')
    await page.getByLabel('Mot de passe').fill('a much better password')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Votre compte est ouvert' }).waitFor()
    t.equal((await signIn('zoe@shop.example')).status, 200, 'in the app')
    await page.getByRole('link', { name: 'Votre compte sur ce serveur' }).click()
    await page.getByRole('button', { name: 'Se connecter' }).waitFor()
    t.same(wrong, [])
  },
)

t.test('given each page of a registration, then it is accessible, and never scrolls sideways', { skip }, async (t) => {
  const rules = { requires_approval: true, phone_verification_required: true }
  const { page, url, codeIn } = await visit(t, rules)
  const check = async (name: string) => {
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      t.ok((await widest(page)) <= width, `${name} at ${width}`)
    }
    await judge(t, page, name)
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/register-${name.replaceAll(' ', '-')}.png`,
        fullPage: true,
      })
  }
  for (const lang of ['ar', 'en']) {
    await page.goto(`${url}${path}?lang=${lang}`)
    await check(`the question in ${lang}`)
  }
  const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`
  await page.getByLabel('Email address').fill(long)
  await page.getByLabel('Mobile number').fill('+14165550100')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
  await page.getByLabel('Code from the email').fill('000000')
  await page.getByLabel('Code from the text message').fill('000000')
  await page.getByLabel('Your name').fill('Zoé')
  await page.getByLabel('Password').fill('a much better password')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').waitFor()
  await check('the codes')
  await page.getByLabel('Code from the email').fill(await codeIn('mails'))
  await page.getByLabel('Code from the text message').fill(await codeIn('texts'))
  await page.getByLabel('Password').fill('a much better password')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'waits for approval' }).waitFor()
  await check('the end')
  await page.goto(`${url}/register/shop/other`)
  await check('nowhere')
})
