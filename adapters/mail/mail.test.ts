import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import t, { type Test } from 'tap'
import { letters } from '../../engine/domains/accounts/letters.ts'
import { messageFor } from '../../engine/domains/accounts/mails.ts'
import { type Context, en, isoOf, reportHealth, startLife } from '../../engine/index.ts'
import { world } from '../auth/world.test.fixture.ts'
import { languagesWith } from '../locales/catalogue.ts'
import { lettersIn } from '../locales/messages.ts'
import { noLimits } from '../node/limits.ts'
import type { Log } from '../node/log.ts'
import { isDeferred, type Mail, mailFrom } from '../node/mail.ts'
import { healthMails } from '../policies/health-mails.ts'
import { startPolicies } from '../policies/index.ts'
import { openMail, serverOf } from './index.ts'
import { createMessenger } from './messenger.ts'
import { watchMail } from './watch.ts'
import { written } from './written.ts'

const from = 'tracking@engine.example'

interface Taken {
  readonly user: unknown
  readonly to: readonly string[]
  readonly text: string
}

/** A real mail server on this machine, and what it took. It signs in `carrier` with the password `p@ss word`. */
async function mailServer(t: Test, options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }) {
  const taken: Taken[] = []
  const answers = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'carrier' && password === 'p@ss word'
        ? done(null, { user: username })
        : done(new Error(`no ${username} here`)),
    onRcptTo: ({ address }, _, done) => {
      const responseCode = answers.get(address)
      done(responseCode === undefined ? null : Object.assign(new Error(`not ${address}`), { responseCode }))
    },
    onData: (stream, { user, envelope: { rcptTo } }, done) => {
      const to = rcptTo.map(({ address }) => address)
      text(stream).then((all) => done(null, `taken ${taken.push({ user, to, text: all })}`), done)
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  return { taken, answers, port: (server.server.address() as AddressInfo).port }
}

const message = {
  id: 'event-1',
  to: ['ops@shop.example', 'night@shop.example'],
  subject: 'It failed',
  text: ['Why?', 'So.'],
}

t.test(
  'given a mail server, when a message is sent, then it is taken for all, signed in, with its own id',
  async (t) => {
    const { taken, port } = await mailServer(t)
    const mail = await openMail({ kind: 'smtp', url: `smtp://carrier:p%40ss%20word@127.0.0.1:${port}`, from })
    t.equal(await mail.check(), `127.0.0.1:${port} takes e-mails from ${from}`)
    t.equal(await mail.send(message), undefined)
    t.match(taken, [{ user: 'carrier', to: message.to }])
    const [head = '', body = ''] = (taken[0]?.text ?? '').split('\r\n\r\n')
    t.match(head, /^From: tracking@engine\.example$/m)
    t.match(head, /^Subject: It failed$/m)
    t.match(head, /^Message-ID: <event-1@engine\.example>$/m)
    t.match(head, /^Auto-Submitted: auto-generated$/m)
    t.match(head, /^Content-Type: text\/plain/m)
    t.equal(body, 'Why?\r\nSo.\r\n')
  },
)

t.test(
  'given a message with line breaks in its subject, when it is sent, then it has no header of theirs',
  async (t) => {
    const { taken, port } = await mailServer(t)
    const mail = await openMail({ kind: 'smtp', url: `smtp://127.0.0.1:${port}`, from })
    await mail.send({ ...message, subject: 'a\r\nBcc: thief@example.com\r\n\r\nb', to: ['ops@shop.example'] })
    t.match(taken, [{ user: undefined, to: ['ops@shop.example'] }])
    t.match(taken[0]?.text, /^Subject: a Bcc: thief@example\.com b$/m)
    t.notMatch(taken[0]?.text, /^Bcc:/m)
  },
)

/** What somebody might call a place or themselves: line ends of all kinds, a link, and text that reads from the other end. */
const hostile = 'Ann\r\n\r\nLast notice:\u2028pay\u2029\v\u0085here\u202e\u2066\n\t\0https://evil.example\u2069'
const harmless = 'Ann Last notice: pay here https://evil.example'

t.test(
  'given texts of others with line ends, when a message is sent, then each is on one line of its text',
  async (t) => {
    const { taken, port } = await mailServer(t)
    const mail = await openMail({ kind: 'smtp', url: `smtp://127.0.0.1:${port}`, from })
    await mail.send({ ...message, subject: hostile, text: [`Where: ${hostile}`, '', hostile.repeat(100), 'End'] })
    const [head = '', ...parts] = (taken[0]?.text ?? '').split('\r\n\r\n')
    const body = parts.join('\r\n\r\n')
    t.match(head, new RegExp(`^Subject: ${harmless}$`, 'm'))
    const [first, blank, long = '', ...others] = body.replaceAll('=\r\n', '').split('\r\n')
    t.same([first, blank, ...others], [`Where: ${harmless}`, '', 'End', ''])
    t.ok(long.startsWith(harmless))
    t.equal(long.replaceAll('=E2=80=A6', '…').length, 2_000, 'it is cut')
  },
)

t.test(
  'given an account whose names hold line ends, then each kind of its e-mails has the lines of its text',
  async (t) => {
    const { parts } = await world({ baseUrl: 'https://otep.example' })
    const caller = { kind: 'operator', name: 'test', scopes: [] } as const
    for (const language of languagesWith('letter')) {
      const own = lettersIn(language)
      for (const kind of Object.keys(letters) as (keyof typeof letters)[]) {
        const filled = (text: string) => {
          const names = ['name', 'business', 'app', 'code', 'email', 'link', 'time', 'source']
          const values = Object.fromEntries(names.map((name) => [name, text]))
          const context: Context = { ...parts, caller, requestId: 'r', messages: en, letters: own }
          return written(messageFor(context, { kind, to: 'ann@shop.example', values }))
        }
        t.same(filled(hostile), filled(harmless), `${kind} in ${language}`)
        if (kind === 'invitation')
          t.notMatch(filled(`${harmless} www.evil.example/a`).subject, /\/\/evil|www\.evil|example\/a/, 'no link')
        t.equal(filled(hostile).text.split('\n').length, (own?.[kind] ?? letters[kind]).text.split('\n').length)
      }
    }
  },
)

t.test(
  'given a server that refuses, when it is lasting or passing, then it is told or thrown, without addresses',
  async (t) => {
    const { taken, answers, port } = await mailServer(t)
    const at = (user: string) => openMail({ kind: 'smtp', url: `smtp://${user}127.0.0.1:${port}`, from })
    answers.set('ops@shop.example', 550)
    t.equal(await (await at('')).send(message), undefined, 'one address is enough')
    t.same(taken[0]?.to, ['night@shop.example'])
    answers.set('night@shop.example', 550)
    t.equal(await (await at('')).send(message), 'the mail server failed with 550')
    answers.set('night@shop.example', 451)
    answers.set('ops@shop.example', 451)
    const failed = async (user = '') => (await at(user)).send(message).catch((error: unknown) => error)
    const deferred = await failed()
    t.match(deferred, { message: 'the mail server failed with 451' })
    t.ok(isDeferred(deferred), 'it is about these addresses')
    for (const address of message.to) answers.set(address, 421)
    t.notOk(isDeferred(await failed()), 'the server ends')
    answers.clear()
    const unknown = await failed('carrier:wrong@')
    t.match(unknown, { message: 'the mail server failed with 535' })
    t.notOk(isDeferred(unknown))
    await t.rejects((await at('carrier:wrong@')).check(), { message: 'the mail server failed with 535' })
    const nowhere = await openMail({ kind: 'smtp', url: 'smtp://127.0.0.1:1', from })
    await t.rejects(nowhere.send(message), { message: 'the mail server failed with ESOCKET' })
    t.equal(taken.length, 1)
  },
)

t.test('given a server with a certificate of nobody, when it offers TLS, then nothing is sent to it', async (t) => {
  const { taken, port } = await mailServer(t, {})
  const mail = await openMail({ kind: 'smtp', url: `smtp://carrier:p%40ss%20word@127.0.0.1:${port}`, from })
  await t.rejects(mail.send(message), { message: /^the mail server failed with [A-Z]+$/ })
  t.same(taken, [])
})

t.test(
  'given a server on another machine without TLS, when a message is to be sent, then nothing is, unless its address says so',
  async (t) => {
    const { taken, port } = await mailServer(t)
    const elsewhere = (more = '', user = '') =>
      openMail({ kind: 'smtp', url: `smtp://${user}127.0.0.1:${port}${more}`, from }, { isHere: () => false })
    const without = { message: 'the mail server offers no TLS, so that no e-mail is sent to it' }
    for (const mail of [await elsewhere(), await elsewhere('', 'carrier:p%40ss%20word@')]) {
      await t.rejects(mail.check(), without)
      await t.rejects(mail.send(message), without)
      t.notOk(isDeferred(await mail.send(message).catch((error: unknown) => error)), 'it is not about an address')
    }
    t.same(taken, [])
    const optional = await elsewhere('?tls=optional')
    t.equal(await optional.check(), `127.0.0.1:${port} takes e-mails from ${from}`)
    t.equal(await optional.send(message), undefined)
    t.equal(taken.length, 1)
  },
)

t.test(
  'given the address of a server, then TLS is required of all but this machine and those that it exempts',
  async (t) => {
    const isRequired = (url: string) => serverOf(url).requireTLS
    for (const host of ['mail.example', 'u:p@mail.example:25', '127.evil.example', '10.0.0.1', '[::2]'])
      t.equal(isRequired(`smtp://${host}`), true, host)
    for (const host of ['localhost', 'u:p@127.0.0.1:25', '127.1.2.3', '[::1]', 'mail.example:25?tls=optional'])
      t.equal(isRequired(`smtp://${host}`), false, host)
    t.match(serverOf('smtps://mail.example'), { secure: true, requireTLS: false, port: 465 })
  },
)

t.test(
  'given a mail server, when it refuses and takes, then it is told since when, and whose fault the last one was',
  async (t) => {
    const { answers, port } = await mailServer(t)
    const url = (user = '') => `smtp://${user}127.0.0.1:${port}`
    const clock = { now: 1_000 }
    const { mail, failure } = watchMail(await openMail({ kind: 'smtp', url: url(), from }), () => clock.now)
    const one = { ...message, to: ['ops@shop.example'] }
    t.equal(failure(), undefined)
    answers.set('ops@shop.example', 451)
    await t.rejects(mail.send(one))
    t.same(failure(), { since: 1_000, fault: 'message', code: '451' })
    clock.now += 1_000
    answers.set('ops@shop.example', 550)
    t.match(await mail.send(one), '550', 'what it answers stays')
    t.same(failure(), { since: 1_000, fault: 'address' })
    answers.clear()
    await mail.send(one)
    t.equal(failure(), undefined)
    const codeOf = async (user: string, isHere?: () => boolean) => {
      const refusing = watchMail(
        await openMail({ kind: 'smtp', url: url(user), from }, isHere && { isHere }),
        () => clock.now,
      )
      await t.rejects(refusing.mail.send(one))
      return refusing.failure()
    }
    t.same(await codeOf('carrier:wrong@'), { since: 2_000, fault: 'server', code: '535' })
    t.same(await codeOf('', () => false), { since: 2_000, fault: 'server', code: 'ETLS' })
  },
)

t.test('given a directory, when a message is sent, then it lies there, for its owner alone', async (t) => {
  const directory = join(t.testdir({}), 'mails')
  const mail = await openMail({ kind: 'file', directory, from })
  t.match(await mail.check(), directory)
  await mail.send(message)
  const [name = '', ...others] = readdirSync(directory)
  t.same(others, [])
  t.match(name, /\.eml$/)
  t.equal(statSync(join(directory, name)).mode & 0o777, 0o600)
  t.match(readFileSync(join(directory, name), 'utf8'), /^To: ops@shop\.example, night@shop\.example$/m)
})

t.test(
  'given the settings, when they are read, then they name a server or a directory, or say what is wrong',
  async (t) => {
    const read = (OTEP_MAIL_URL?: string, OTEP_MAIL_FROM: string | undefined = from) =>
      mailFrom({ OTEP_MAIL_URL, OTEP_MAIL_FROM })
    t.equal(read(), undefined)
    t.same(read('smtps://u:p%40@mail.example'), { kind: 'smtp', url: 'smtps://u:p%40@mail.example', from })
    t.same(read('file:data/mails'), { kind: 'file', directory: 'data/mails', from })
    t.throws(() => read('smtp://mail.example', ''), /OTEP_MAIL_FROM/)
    t.throws(() => read('smtp://mail.example', 'a@b\r\nBcc: c@d'), /OTEP_MAIL_FROM/)
    t.match(read('smtp://mail.example:25?tls=optional'), { url: 'smtp://mail.example:25?tls=optional' })
    const parameters = ['?tls=off', '?', '?tls=optional&x', '?secret', '?tls=optional?']
    const more = [
      ...parameters.map((parameter) => `smtp://mail.example${parameter}`),
      ...['smtp://u:secret@mail.example?tls=optional', 'smtps://mail.example?tls=optional', 'smtp://u:p?secret@x'],
    ]
    for (const wrong of [
      ...more,
      'http://secret@x',
      'smtp://',
      'smtp:mail',
      'smtp://u:%zz@secret',
      'smtp://secret/x',
      'file:',
    ]) {
      t.throws(() => read(wrong), /OTEP_MAIL_URL/, wrong)
      t.throws(() => read(wrong), { message: /^(?!.*secret)/ }, 'the value is not repeated')
    }
  },
)

t.test(
  'given a mail server that is down, when many messages wait to be tried again, then Node warns of nothing',
  async (t) => {
    const warned: Error[] = []
    const warn = (warning: Error) => warned.push(warning)
    process.on('warning', warn)
    t.teardown(() => process.off('warning', warn))
    let tries = 0
    const send = async () => {
      tries++
      throw new Error('down')
    }
    const mail = { send, check: send }
    const messenger = createMessenger({ mail, sms: undefined, limits: noLimits, failed: () => {} })
    for (let sent = 0; sent < 20; sent++)
      messenger.post(async () => ({ to: 'ann@shop.example', subject: 'A code', text: ['1'] }))
    while (tries < 20) await setTimeout(5)
    await setTimeout(5)
    t.same(warned, [])
    await messenger.close()
    t.equal(tries, 40, 'each is tried once more at the end')
  },
)

/** A business with addresses that are notified about a webhook URL, and what reports the health of that URL. */
async function withAddresses(mail: Mail, endpoint_health_emails: readonly string[] = ['ops@shop.example']) {
  const place = await world({ mail, baseUrl: 'https://otep.example', webhooks: { allow: ['127.0.0.0/8'] } })
  const { send, tokens, parts, clock, business } = place
  const token = tokens.client_admin
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await send(method, `/api/v1/${path}`, { token, body })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const order_create_webhook_url = 'http://127.0.0.1:8008/hook?token=secret'
  const { settings } = await ask('PUT', 'webhook-settings', { order_create_webhook_url, endpoint_health_emails })
  const [{ endpoint_id }] = (await ask('GET', 'webhook-urls')).urls
  const caller = { kind: 'operator', name: 'webhook-health', scopes: [] } as const
  const recording = { ...parts, caller, requestId: parts.randomId() }
  const report = (health: object) =>
    reportHealth(recording, `business.${business}`, { at: isoOf(clock.now), endpoint_id, ...health })
  return { ...place, addresses: settings.endpoint_health_emails, report }
}

t.test('given addresses in webhook settings, when a URL fails and recovers, then they are told of each', async (t) => {
  const directory = join(t.testdir({}), 'mails')
  const { parts, store, clock, addresses, report } = await withAddresses(
    await openMail({ kind: 'file', directory, from }),
  )
  t.same(addresses, ['ops@shop.example'])
  const stopping = new AbortController()
  t.teardown(() => stopping.abort())
  const said: object[] = []
  const tell = (fields: object) => void said.push(fields)
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
  const wait = (ms: number, signal: AbortSignal) => setTimeout(Math.min(ms, 5), undefined, { signal }).catch(() => {})
  const clocks = { signal: stopping.signal, now: () => performance.now(), wait }
  const life = startLife(store.leases, { ...clocks, name: 'node', failed: (error) => tell({ error }) })
  const running = startPolicies(parts, store, { ...clocks, life, log })
  while ((await store.read('policy-health-mails', {})).length === 0) await setTimeout(5)

  await report({ since: isoOf(clock.now - 3_600_000), status: 503, failure: 'status' })
  await report({})
  await report({ since: isoOf(clock.now), status: 410, failure: 'status', gone: true })
  const names = () => readdirSync(directory).filter((name) => name.endsWith('.eml'))
  for (const end = performance.now() + 20_000; performance.now() < end && said.length === 0; await setTimeout(5)) {
    try {
      if (names().length === 3) break
    } catch {}
  }
  stopping.abort()
  await running
  const [failing = '', recovered = '', gone = ''] = names().map((name) =>
    readFileSync(join(directory, name), 'utf8').replaceAll('=\r\n', ''),
  )
  t.match(failing, /^Subject: Webhooks are not received: 127.0.0.1:8008$/m)
  t.match(
    failing,
    /http:\/\/127.0.0.1:8008\/hook has accepted no webhook since 2026-06-10 09:00 UTC\..* HTTP status 503\./,
  )
  t.match(failing, /https:\/\/otep\.example\/webhooks/)
  t.notMatch(failing, /secret/)
  t.match(recovered, /^Subject: Webhooks are received again: 127.0.0.1:8008$/m)
  t.match(gone, /^Subject: Webhooks are switched off: 127.0.0.1:8008$/m)
  t.match(gone, /hook answered that it is gone \(HTTP status 410\) and was switched off/)
  t.same(said, [])
  await parts.webhooks.close()
})

/** The policy of notices about a webhook URL, one event of a URL that fails, and a server whose mood the test sets. */
async function noticesOf(addresses: readonly string[]) {
  const moods = new Map<string, Error | undefined>()
  const taken: string[] = []
  const mail: Mail = {
    check: async () => '',
    send: async ({ to: [address = ''] }) => {
      const mood = moods.get(address)
      if (mood !== undefined) throw mood
      taken.push(address)
      return undefined
    },
  }
  const { parts, clock, report, ...place } = await withAddresses(mail, addresses)
  await report({ since: isoOf(clock.now - 3_600_000), status: 503, failure: 'status' })
  const said: object[] = []
  const tell = (fields: object) => void said.push(fields)
  const policy = healthMails(parts, mail, { debug: tell, info: tell, warn: tell, error: tell })
  const { signal } = new AbortController()
  const handling = async () => {
    for await (const event of parts.store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
  }
  return { ...place, parts, clock, moods, taken, said, handling }
}

const down = new Error('the mail server failed with ESOCKET')
const full = Object.assign(new Error('the mail server failed with 452'), { code: 452, isDeferred: true })

t.test(
  'given addresses that the mail server puts off again and again, then notices of others wait a quarter of an hour at most',
  async (t) => {
    const { parts, clock, moods, said, taken, handling } = await noticesOf(['ops@shop.example'])
    moods.set('ops@shop.example', full)
    await t.rejects(handling(), /452/, 'at first it is tried again')
    clock.now += 10 * 60_000
    await t.rejects(handling(), /452/)
    clock.now += 10 * 60_000
    await handling()
    t.match(said, [{ code: 452 }])
    t.notMatch(JSON.stringify(said), /shop\.example/)
    t.same(taken, [])
    await parts.webhooks.close()
  },
)

t.test(
  'given a notice that waited for a mail server, when that comes back and puts it off once, then it is sent at the next try',
  async (t) => {
    const { parts, clock, moods, taken, handling } = await noticesOf(['ops@shop.example'])
    moods.set('ops@shop.example', down)
    clock.now += 3 * 3_600_000
    await t.rejects(handling(), /ESOCKET/, 'without a server, all wait')
    moods.set('ops@shop.example', full)
    await t.rejects(handling(), /452/, 'as servers do with a sender that they do not know')
    clock.now += 60_000
    moods.clear()
    await handling()
    t.same(taken, ['ops@shop.example'])
    await parts.webhooks.close()
  },
)

t.test(
  'given two addresses, when the mail server puts one of them off, then both get the notice, each once',
  async (t) => {
    const { parts, moods, taken, handling } = await noticesOf(['ops@shop.example', 'night@shop.example'])
    moods.set('ops@shop.example', full)
    await t.rejects(handling(), /452/)
    t.same(taken, ['night@shop.example'])
    moods.clear()
    await handling()
    t.same(taken, ['night@shop.example', 'ops@shop.example'])
    await parts.webhooks.close()
  },
)

t.test('given a server without e-mail, when addresses are set, then they are refused', async (t) => {
  const { send, tokens, parts } = await world()
  const put = (endpoint_health_emails: unknown) =>
    send('PUT', '/api/v1/webhook-settings', { token: tokens.client_admin, body: { endpoint_health_emails } })
  t.match(await put(['a@b.example']), {
    status: 422,
    body: { errors: [{ path: 'endpoint_health_emails', code: 'webhook_mail_unavailable' }] },
  })
  t.match(await put(['a']), {
    status: 422,
    body: { errors: [{ path: 'endpoint_health_emails[0]', code: 'not_an_email' }] },
  })
  t.match(await put([]), { status: 200, body: { settings: { endpoint_health_emails: [] } } })
  await parts.webhooks.close()
})
