import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { projectFile } from '../../conformance/program/files.ts'
import type { RecordedEvent } from '../../engine/index.ts'
import { projections } from '../../projections/index.ts'
import { startIssuer } from '../auth/issuer.test.fixture.ts'
import { openStore } from '../engine.ts'
import { relay } from '../mail/relay.test.fixture.ts'
import { createApp } from '../main.ts'
import { secretFrom, storeFrom } from '../node/config.ts'
import type { DueDelivery } from '../node/deliveries.ts'
import { deliveriesFileOf } from '../node/store-files.ts'
import { chooseDriver } from '../sqlite/database.ts'
import { openDeliveries } from '../sqlite/deliveries/open.ts'
import { createPark } from '../webhooks/fan-out/park.ts'
import { requestOf } from '../webhooks/signing/index.ts'
import { commands } from './commands.ts'
import { countingOn } from './progress.ts'
import { run } from './run.ts'

const example = (name: string) => projectFile('docs', 'examples', name)

/** A terminal with its own data directory; `otep` runs a command line and returns its result. */
function terminal(t: Test) {
  const dataDir = t.testdir({})
  const otep = async (line: readonly string[], { input = '' as string | Buffer, tty = false, env = {} } = {}) => {
    const out: string[] = []
    const err: string[] = []
    const code = await run(line, {
      env: { OTEP_DATA_DIR: dataDir, ...env },
      stdin: Readable.from([input]),
      stdout: { write: (text: string) => out.push(text) > 0 },
      stderr: { write: (text: string) => err.push(text) > 0, isTTY: tty, columns: 80 } as never,
    })
    return { code, out: out.join(''), err: err.join('') }
  }
  return { dataDir, otep }
}

t.test('help is given for the program and for every command, and the version is told', async (t) => {
  const { otep } = terminal(t)
  const help = await otep(['--help'])
  t.equal(help.code, 0)
  for (const { name, summary } of commands) {
    t.match(help.out, name)
    const own = await otep([name, '--help'])
    t.equal(own.code, 0)
    t.match(own.out, summary)
    t.match(own.out, '-h, --help')
  }
  t.match((await otep(['--version'])).out, /^\d+\.\d+\.\d+\n$/)
})

t.test('given a measurement that cannot be, when it is asked for, then it is refused', async (t) => {
  const { otep } = terminal(t)
  t.match(await otep(['bench', '--seconds', '0']), { code: 2, err: /1 to 600/ })
  t.match(await otep(['bench', 'epcis']), { code: 2, err: /options only/ })
})

t.test(
  'given a store in a file, when it is checked, then each check is told by its name, with what to do',
  async (t) => {
    const { otep, dataDir } = terminal(t)
    t.match(await otep(['doctor']), { code: 1, out: /^failed +file +there is no file .*\n +-> Name/ })
    t.same(readdirSync(dataDir), [])
    await otep(['ingest', example('happy-path.json')])
    const right = await otep(['doctor', '--json'])
    t.equal(right.code, 0)
    t.match(JSON.parse(right.out), {
      checks: ['file', 'writable', 'schema', 'history', 'secret-key', 'leftovers'].map((name) => ({
        name,
        outcome: 'ok',
      })),
    })
    const idp = await startIssuer()
    t.teardown(idp.close)
    const env = { OTEP_OAUTH_ISSUER: idp.issuer }
    t.match(await otep(['doctor'], { env }), { code: 0, out: /ok +issuer +http:\S+ publishes 2 keys\n$/ })
    idp.misbehave('other-issuer')
    t.match(await otep(['doctor'], { env }), { code: 1, out: /failed +issuer .*\n +-> OTEP_OAUTH_ISSUER must be/ })
    const { port } = await relay(t, { at: 'MAIL FROM', does: '553 not yours' })
    const mail = { OTEP_MAIL_URL: `smtp://127.0.0.1:${port}`, OTEP_MAIL_FROM: 'tracking@engine.example' }
    t.match(await otep(['doctor'], { env: mail }), {
      code: 1,
      out: /^failed +mail +.*refuses the sender tracking@engine\.example with 553\n +-> The fault is in OTEP_MAIL_FROM/m,
    })
    const other = await otep(['doctor'], { env: { OTEP_SECRET_KEY: 'ab'.repeat(32) } })
    t.match(other, { code: 1, out: /failed +secret-key .*\n +-> Set OTEP_SECRET_KEY/ })
    writeFileSync(join(dataDir, 'otep.db'), 'no database, but a text that is long enough to be looked at')
    t.match(await otep(['doctor']), { code: 1, out: /failed +file .*not an event store/ })
    t.match(await otep(['doctor', 'x']), { code: 2 })
    t.match(await otep(['doctor', '--store', 'memory:']), { code: 1, err: /needs no check/ })
  },
)

t.test('where there is no store, reading says so and makes none', async (t) => {
  const { otep } = terminal(t)
  for (const line of [
    ['show', 'x'],
    ['provider', 'list'],
    ['provider', 'revoke', 'x'],
  ]) {
    t.match(await otep(line), { code: 1, err: /^There is no store .*otep.db\. Run/ })
  }
  t.match(await otep(['serve', '8080']), { code: 2, err: /options only/ })
})

t.test('given a command or an option with a slip, when it runs, then the one that was meant is named', async (t) => {
  const { otep } = terminal(t)
  for (const [line, answer] of [
    [['serv'], 'There is no command serv. Did you mean serve?'],
    [['improt'], 'Did you mean import?'],
    [['help', 'expotr'], 'Did you mean export?'],
    [['serve', '--prot', '1'], 'otep serve has no option --prot. Did you mean --port? otep serve --help lists them.'],
    [['show', 'a', '--jsn'], 'Did you mean --json?'],
  ] as const)
    t.match(await otep(line), { code: 2, err: answer, out: '' }, line.join(' '))
  for (const line of [['fly'], ['formats', '--wings'], ['serve', '--port']])
    t.notMatch((await otep(line)).err, 'Did you mean', line.join(' '))
  t.equal((await otep(['help', 'serve'])).out, (await otep(['serve', '--help'])).out)
  t.equal((await otep(['help', '--help'])).out, (await otep(['--help'])).out)
})

t.test('what cannot be understood ends with exit code 2 and says why', async (t) => {
  const { otep } = terminal(t)
  for (const line of [
    [],
    ['fly'],
    ['show'],
    ['show', 'a', 'b'],
    ['link'],
    ...['7', '0d', '366d', '1w', '-1h'].map((time) => ['link', 'a', `--for=${time}`]),
    ['ingest'],
    ['ingest', '-', '--fast'],
    ['provider'],
    ['key', 'add'],
    ['key', 'revoke', 'one'],
    ['role', 'list'],
    ['role', 'add', 'Floor', '--business', '1'],
    ['role', 'give', '1'],
    ['sign-on'],
    ['sign-on', 'confirm', '1'],
    ['sign-on', 'show', '1', 'acme.example'],
    ['sign-on', 'show', 'acme'],
    ['provider', 'add'],
    ['provider', 'list', 'x'],
    ['provider', 'add', 'a', 'b'],
    ['ingest', '-'],
    ['webhooks'],
    ['webhooks', 'listen', 'here'],
    ['webhooks', 'listen', '--port', '65536'],
    ['webhooks', 'listen', '--status', 'ok'],
    ['completion'],
    ['completion', 'bash', 'zsh'],
    ['completion', 'tcsh'],
  ]) {
    const { code, err, out } = await otep(line)
    t.equal(code, 2, line.join(' '))
    t.ok(`${err}${out}`.length > 0, line.join(' '))
  }
})

t.test('given a timeline, when it is shown in a format, then the document is printed as it is asked for', async (t) => {
  const { otep } = terminal(t)
  await otep(['ingest', example('happy-path.json')])
  const show = (...more: readonly string[]) => otep(['show', 'SR260610041', ...more])
  const wide = await show('--format', 'epcis')
  t.match(JSON.parse(wide.out), { type: 'EPCISQueryDocument' })
  t.match(wide.out, /^\{\n {2}"@context"/, 'plain JSON is laid out for people')
  t.match(JSON.parse((await show('--format', 'epcis', '--option', 'as=capture')).out), { type: 'EPCISDocument' })
  t.match((await show('--format', 'epcis', '--accept', 'application/xml')).out, /^<\?xml .*\n/)
  t.match((await show('--accept', 'application/json')).out, /^\{"otep_version".*\}\n$/)
  t.match(await show('--format', 'fax'), { code: 1, err: /fax.*otep, epcis/ })
  t.match(await show('--format', 'epcis', '--option', 'as'), { code: 2, err: /NAME=VALUE/ })
  t.match(await show('--format', 'epcis', '--option', 'as=letter'), { code: 1, err: /as.*capture/ })
  t.match(await show('--format', 'otlp', '--accept', 'application/xml'), { code: 1, err: /otlp/ })
})

t.test(
  'given a link from the command line, when a server with its secret is asked, then it opens the timeline',
  async (t) => {
    const { otep, dataDir } = terminal(t)
    await otep(['ingest', example('happy-path.json')])
    const env = { OTEP_DATA_DIR: dataDir }
    const store = await openStore(storeFrom(env))
    t.teardown(() => store.close())
    let now = Date.now()
    const secret = secretFrom(env)
    const app = createApp({ store, secret, clock: () => now, publicView: 'reduced' })
    const isOpen = async (url: string) => (await (await app.request(url.trim())).text()).includes('Recipient')
    const { code, out } = await otep(['link', 'SR260610041', '--for', '2h'])
    t.equal(code, 0)
    t.match(out, /^http:\/\/localhost:3000\/track\/SR260610041\?link=[\w.-]+\n$/)
    t.ok(await isOpen(out))
    t.notOk(
      await isOpen(out.replace(/\.(.)(?=[\w-]+\n)/, (_, first) => (first === 'A' ? '.B' : '.A'))),
      'a changed one',
    )
    // The link was made a moment after this clock was read.
    now += 2 * 3_600_000 + 60_000
    t.notOk(await isOpen(out), 'one that has expired')
    const { url, expires_at } = JSON.parse((await otep(['link', 'SR260610041', '--json'])).out)
    t.ok(await isOpen(url))
    t.equal(Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000), 7, 'a week')
    t.match(await otep(['link', 'nothing']), { code: 1, err: /Nothing is known/ })
  },
)

t.test(
  'given a file, when it is projected, then its timelines are printed in a format and nothing is stored',
  async (t) => {
    const { otep, dataDir } = terminal(t)
    const one = await otep(['project', example('happy-path.json'), '--format', 'otlp'])
    t.match(one, { code: 0, err: '' })
    t.match(JSON.parse(one.out), { resourceSpans: [{}] })
    const many = await otep([
      'project',
      example('cross-border.ndjson'),
      '--format',
      'etsy',
      '--accept',
      'application/json',
    ])
    t.equal(many.code, 0)
    for (const line of many.out.trim().split('\n')) t.type(JSON.parse(line), 'object')
    t.match(await otep(['project', example('nothing-conforms.json')]), { code: 1, err: /delivered: Expected boolean/ })
    t.match(await otep(['project', '-'], { input: ' ' }), { code: 2, err: /empty/ })
    t.match(await otep(['project', '-'], { input: '{"a":\n' }), { code: 1, err: /not JSON/ })
    t.match(await otep(['project', '-', '--from', 'fax'], { input: '{}' }), { code: 1, err: /fax/ })
    t.match(await otep(['project', '-', '--from', 'etsy'], { input: '{}' }), { code: 1, err: /otep, epcis/ })
    t.same(readdirSync(dataDir), [])
  },
)

t.test(
  'given a document of a format that is read, when it is projected or ingested, then its events are there',
  async (t) => {
    const { otep } = terminal(t)
    for (const [format, accept] of [
      ['epcis', 'application/json; profile="urn:otep:format:epcis"'],
      ['epcis', 'application/xml'],
      ['aftership', 'application/json; profile="urn:otep:format:aftership"'],
      ['amazon', 'application/json; profile="urn:otep:format:amazon"'],
    ] as const) {
      const { out } = await otep(['project', example('happy-path.json'), '--format', format, '--accept', accept])
      const back = await otep(['project', '-', '--from', format, '--format', format, '--accept', accept], {
        input: out,
      })
      t.equal(back.out, out, accept)
      t.equal(back.code, 0)
    }
    const { out: epcis } = await otep(['project', example('returned.json'), '--format', 'epcis'])
    t.match(await otep(['ingest', '-', '--format', 'epcis'], { input: epcis }), { code: 0, out: /^\d+ accepted/ })
    t.match(await otep(['ingest', '-', '--format', 'epcis'], { input: '<a>' }), { code: 1 })
  },
)

t.test('the formats are listed, with what they can do', async (t) => {
  const { otep } = terminal(t)
  const { out } = await otep(['formats'])
  t.equal(out.trim().split('\n').length, projections.length)
  t.match(out, /epcis +EPCIS 2\.0.*\(history, can be ingested, --option as=/)
  t.match(JSON.parse((await otep(['formats', '--json'])).out), [{ format: 'otep' }])
  t.match(await otep(['formats', 'epcis']), { code: 2 })
})

t.test('given the samples, when they are ingested, then they are shown', async (t) => {
  const { otep } = terminal(t)
  t.match(await otep(['ingest', example('happy-path.json')]), { code: 0, out: '10 accepted\n' })
  t.match(await otep(['ingest', example('happy-path.ndjson')]), { code: 0, out: /0 accepted, 10 duplicate/ })
  t.match(await otep(['ingest', example('late-and-duplicate.ndjson')]), {
    code: 0,
    out: '9 accepted, 1 duplicate, 1 enriched\n',
  })
  const number = JSON.parse(readFileSync(example('happy-path.json'), 'utf8')).subject.tracking_number as string
  const shown = await otep(['show', number.toLowerCase()])
  t.match(shown.out, /status: delivered/)
  t.match(shown.out, /-04:00 {2}out_for_delivery/)
  t.match(JSON.parse((await otep(['show', number, '--json'])).out), {
    current_status: 'delivered',
    subject: { tracking_number: number },
  })
  t.match(JSON.parse((await otep(['show', number, '--format', 'otep'])).out), { delivered: true })
  t.match(await otep(['show', number, '--format', 'fax']), { code: 1, err: /otep/ })
  t.match(await otep(['show', 'none']), { code: 1, err: 'Nothing is known of this tracking number.\n' })
})

const good = { subject: { tracking_number: 'SR1' }, occurred_at: '2026-06-10T10:00:00Z', status_code: 'received' }

t.test('an ingest of lines', async (t) => {
  t.test('takes the standard input, and names the line of what it refuses', async (t) => {
    const { otep } = terminal(t)
    const input = [good, '', { ...good, status_code: 'nope' }, '{"broken', good]
      .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      .join('\n')
    const { code, out, err } = await otep(['ingest', '-'], { input })
    t.equal(code, 1)
    t.equal(out, '1 accepted, 1 duplicate, 2 rejected\n')
    t.match(err, /^line 3 status_code: nope is not a code/m)
    t.match(err, /line 4: The text is not JSON/)
  })
  t.test('keeps the good lines where the first one is broken', async (t) => {
    const { otep } = terminal(t)
    const { code, out, err } = await otep(['ingest', '-'], { input: `{"broken\n${JSON.stringify(good)}\n` })
    t.match([code, out], [1, '1 accepted, 1 rejected\n'])
    t.match(err, /^line 1: The text is not JSON/m)
  })
  t.test('is refused as a whole where it is not UTF-8, and may begin with a byte order mark', async (t) => {
    const { otep } = terminal(t)
    const bytes = Buffer.from(JSON.stringify(good).replace('SR1', 'SR\u00e91'), 'latin1')
    t.match(await otep(['ingest', '-'], { input: bytes }), { code: 1, err: 'The text is not UTF-8.' })
    t.match(await otep(['ingest', '-'], { input: `\uFEFF${JSON.stringify(good)}` }), { code: 0, out: '1 accepted\n' })
  })
  t.test('of one line is taken as the document that it is', async (t) => {
    const { otep } = terminal(t)
    const timeline = { subject: good.subject, events: [{ occurred_at: good.occurred_at, status_code: 'received' }] }
    t.match(await otep(['ingest', '-'], { input: JSON.stringify({ timelines: [timeline] }) }), {
      code: 0,
      out: '1 accepted\n',
    })
  })
  t.test('prints a verdict on each event as JSON', async (t) => {
    const { otep } = terminal(t)
    const { out } = await otep(['ingest', '-', '--json'], { input: JSON.stringify(good) })
    t.match(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      [{ path: '', outcome: 'accepted' }],
    )
  })
  t.test('of more than a batch shows how far it has come, on a terminal only', async (t) => {
    const { dataDir, otep } = terminal(t)
    const file = join(dataDir, 'many.ndjson')
    writeFileSync(
      file,
      Array.from(
        { length: 1100 },
        (_, index) => `${JSON.stringify({ ...good, subject: { tracking_number: `N${index}` } })}\n`,
      ).join(''),
    )
    const watched = await otep(['ingest', file], { tty: true })
    t.equal(watched.out, '1100 accepted\n')
    t.match(watched.err, /\[#+\.*\] +\d+% \d+ accepted/)
    t.equal((await otep(['ingest', file])).err, '')
  })
  t.test('stores nothing where all or nothing is asked for', async (t) => {
    const { otep } = terminal(t)
    const input = `${JSON.stringify(good)}\n${JSON.stringify({ ...good, status_code: 'nope' })}`
    t.match(await otep(['ingest', '-', '--atomic'], { input }), { code: 1, out: /0 accepted, 1 rejected, 1 withheld/ })
    t.equal((await otep(['show', 'SR1'])).code, 1)
  })
  t.test('is kept in the name that is given', async (t) => {
    const { otep } = terminal(t)
    await otep(['ingest', '-', '--as', 'acme'], { input: JSON.stringify(good) })
    t.equal(JSON.parse((await otep(['show', 'SR1', '--json'])).out).events[0].source.provider, 'acme')
  })
  t.test('keeps its name from the businesses of the server', async (t) => {
    const { otep, dataDir } = terminal(t)
    await otep(['ingest', '-', '--as', 'acme'], { input: JSON.stringify(good) })
    const business = ['--role', 'client_admin', '--new-business', 'One', '--time-zone', 'UTC', '--currency', 'EUR']
    const { out: password } = await otep(['account', 'add', 'ann@one.example', ...business])
    const env = { OTEP_DATA_DIR: dataDir }
    const store = await openStore(storeFrom(env))
    t.teardown(() => store.close())
    const app = createApp({ store, secret: secretFrom(env), publicView: 'full' })
    const post = async (path: string, body: object, token = '') => {
      const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
      const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { readonly access_token: string }
    }
    const login = { email: 'ann@one.example', password: password.trim() }
    const { access_token } = await post('/api/v1/user/login', login)
    const add = (name: string) => post('/api/v1/providers', { name }, access_token)
    t.match(await add('acme'), { code: 'provider_name_taken' })
    t.match(await add('acme-2'), { result: true })
  })
})

t.test('a document on many lines is taken as one, and told what is wrong with it', async (t) => {
  const { otep } = terminal(t)
  const input = JSON.stringify(
    { subject: good.subject, events: [{ occurred_at: good.occurred_at, status_code: 'nope' }] },
    null,
    2,
  )
  t.match(await otep(['ingest', '-'], { input }), { code: 1, err: /^events\[0\]\.status_code: nope/m })
  t.match(await otep(['ingest', '-'], { input: '{\n"a"' }), { code: 1, err: /^The text is not JSON/ })
})

t.test('given a file that cannot be read, when a command takes it, then one line says why', async (t) => {
  const { otep } = terminal(t)
  const place = t.testdir({ directory: {}, 'a.json': '{}' })
  const looped = join(place, 'loop')
  symlinkSync(looped, looped)
  const commands = [['validate'], ['ingest'], ['project', '--format', 'epcis'], ['hash'], ['import']]
  for (const [name = '', ...options] of commands) {
    for (const [path, said] of [
      ['/no/such/file', 'There is no such file or directory: /no/such/file'],
      [join(place, 'a.json', 'b'), `There is no such file or directory: ${join(place, 'a.json', 'b')}`],
      [join(place, 'directory'), 'is a directory, not a file.'],
      [join(place, 'n'.repeat(300)), 'The name of the file is too long'],
      [looped, 'The links of this file lead in a circle'],
    ] as const) {
      const { code, err, out } = await otep([name, path, ...options])
      t.match([code, out, err], [1, '', said], `${name} ${path.slice(0, 80)}`)
      t.notMatch(err, /ENOENT|ENOTDIR|EISDIR|^ +at \S+ \(/m)
    }
  }
})

t.test(
  'given a slip in a field or a code, when a document is read, then the one that was meant is named',
  async (t) => {
    const { otep } = terminal(t)
    const { occurred_at, ...rest } = good
    const lines = [
      { ...rest, occured_at: occurred_at },
      { ...good, status_code: 'in_transt' },
      { ...good, weather: 'x' },
    ]
    const { err } = await otep(['ingest', '-'], { input: lines.map((line) => JSON.stringify(line)).join('\n') })
    t.match(err, /^line 1 occured_at: .* Did you mean occurred_at\?$/m)
    t.match(err, /^line 2 status_code: .* Did you mean in_transit\?$/m)
    t.notMatch(err, /^line 3.*Did you mean/m)
    const timeline = { subject: good.subject, events: [{ ...good, subject: undefined, status_code: 'delivred' }] }
    const { out } = await otep(['validate', '-'], { input: JSON.stringify(timeline) })
    t.match(out, /events\[0\]\.status_code: .*Did you mean delivered\?/)
  },
)

t.test('the validator answers by its exit code', async (t) => {
  const { otep } = terminal(t)
  t.match(await otep(['validate', example('happy-path.json')]), { code: 0, out: /conformant, level 2\n$/ })
  const bad = await otep(['validate', example('nothing-conforms.json')])
  t.equal(bad.code, 1)
  t.match(bad.out, /error: .*\[otep-1-when\]/)
  t.match(JSON.parse((await otep(['validate', '-', '--json'], { input: '{}' })).out), { conformant: false, level: 0 })
  t.match(await otep(['validate', '-'], { input: 'not json' }), { code: 1, err: /not JSON/ })
  const answer = JSON.stringify({ result: true, format: 'otep', data: { events: [{}] } })
  t.match(await otep(['validate', '-'], { input: answer }), {
    code: 1,
    out: /^error: data\.events\[0\]\.occurred_at: /m,
  })
})

t.test('event hash ids are printed, and ids that do not fit end with 1', async (t) => {
  const { otep } = terminal(t)
  const context = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'
  const event = {
    ...{ type: 'ObjectEvent', eventTime: '2005-04-03T20:33:31.116000-06:00', eventTimeZoneOffset: '-06:00' },
    ...{ action: 'OBSERVE', bizStep: 'shipping', disposition: 'in_transit', epcList: ['urn:a:b:1'] },
  }
  const hashed = (more: object, ...options: string[]) =>
    otep(['hash', '-', ...options], { input: JSON.stringify({ '@context': context, ...event, ...more }) })
  const plain = await hashed({})
  t.match(plain, { code: 0, out: /^\(event\) {2}ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0\n$/ })
  const hash = /ni:\S+/.exec(plain.out)?.[0] ?? ''
  t.match(await hashed({ eventID: hash }), { code: 0, out: /CBV2\.0 {2}fits\n$/ })
  t.match(await hashed({ eventID: hash, action: 'ADD' }), { code: 1, out: /differs from ni:/ })
  const told = await hashed({ eventID: hash }, '--json')
  t.same(JSON.parse(told.out), { events: [{ path: '', id: hash, hash, fits: true }], errors: [] })
  t.match(await hashed({ action: 'NONE' }), { code: 1, err: /error: action: / })
  const xml =
    '<ObjectEvent><eventTime>2005-04-03T20:33:31.116000-06:00</eventTime><eventTimeZoneOffset>-06:00</eventTimeZoneOffset>' +
    '<epcList><epc>urn:a:b:1</epc></epcList><action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep>' +
    '<disposition>urn:epcglobal:cbv:disp:in_transit</disposition></ObjectEvent>'
  t.equal((await otep(['hash', '-'], { input: xml })).out, plain.out)
})

t.test('a provider is added once, listed with its last use, and revoked', async (t) => {
  const { otep } = terminal(t)
  const added = await otep(['provider', 'add', 'acme-express', '--all-businesses', '--init'])
  t.match(added.out, /^otep_acme-express_[0-9a-f]{64}\n$/)
  t.match(await otep(['provider', 'add', 'acme-express', '--all-businesses', '--init']), {
    code: 1,
    err: /Rotate or revoke it/,
  })
  t.match(
    (await otep(['provider', 'list'])).out,
    /acme-express +valid +all businesses +added .* expires never +last used never/,
  )
  const webhook = ['provider', 'webhook', 'acme-express']
  t.match(await otep([...webhook, 'aftership'], { input: 'a secret of ours\n' }), {
    code: 0,
    out: /acme-express sends its webhooks to .*\/api\/v1\/otep\/webhooks\/acme-express\./,
  })
  t.match(await otep([...webhook, 'morse'], { input: 'a secret of ours\n' }), { code: 1, err: /aftership, easypost/ })
  t.match(await otep([...webhook, '--off']), { code: 0, out: /No webhooks of acme-express/ })
  t.match(await otep(webhook), { code: 2 })
  t.match(await otep(['provider', 'revoke', 'acme-express']), { code: 0 })
  t.match(await otep(['provider', 'revoke', 'acme-express']), { code: 1 })
  t.match(JSON.parse((await otep(['provider', 'list', '--json'])).out), [{ name: 'acme-express', state: 'revoked' }])
  t.match(
    (await otep(['provider', 'add', 'acme-express', '--all-businesses', '--init', '--json'])).out,
    /"key":"otep_/,
    'a revoked name may be given a new key',
  )
  t.match(await otep(['provider', 'add', 'Bad Name', '--all-businesses', '--init']), { code: 1, err: /hyphens/ })
})

t.test('an account at a carrier is added, listed without its credentials, tested and removed', async (t) => {
  const { otep } = terminal(t)
  const carrier = (...line: readonly string[]) => otep(['carrier', ...line, '--business', '1'])
  const place = ['--time-zone', 'America/Toronto', '--currency', 'CAD']
  await otep(['account', 'add', 'ann@acme.example', '--role', 'client_admin', '--new-business', 'Acme', ...place])
  const input = JSON.stringify({ account: 'letter-box' })
  const added = await otep(['carrier', 'add', 'sandbox', '--business', '1', '--credentials', '-'], { input })
  t.match(added, { code: 0, out: /^Carrier account 1 of sandbox is added/ })
  const { out } = await carrier('list')
  t.match(
    out,
    /^1 +sandbox +sandbox +added .*\nCarriers: own-fleet \(no credentials\), sandbox \(account, webhook_secret\), karrio \(server_url, token\)/,
  )
  t.notMatch(out, 'letter-box')
  t.match(await carrier('test', '1'), { code: 0, out: /accepts the account/ })
  t.match(await carrier('remove', '1'), { code: 0 })
  t.match(await carrier('test', '1'), { code: 1, err: /no carrier account 1/ })
  t.match(await carrier('add', 'pony-express'), { code: 1, err: /no carrier pony-express/ })
  t.match(await otep(['carrier', 'add', 'own-fleet', '--business', '9']), { code: 1, err: /no such business/ })
  t.match(await otep(['carrier', 'list']), { code: 2, err: /whose account/ })
})

t.test(
  'a key is made for one business or for all, ends when it was said to, and is replaced with an overlap',
  async (t) => {
    const { otep } = terminal(t)
    for (const reach of [[], ['--business', '1', '--all-businesses']])
      t.match(await otep(['provider', 'add', 'acme', ...reach]), { code: 2, err: /--business ID or --all-businesses/ })
    for (const expires of ['1', '365', '1y', '0h', '0d', '4000d'])
      t.not((await otep(['provider', 'add', 'acme', '--all-businesses', '--expires', expires])).code, 0, expires)
    t.match(await otep(['provider', 'add', 'acme', '--all-businesses', '--init', '--expires', '365d']), {
      code: 0,
      out: /^otep_acme_/,
      err: /expires at 20/,
    })
    t.match(await otep(['provider', 'rotate', 'nobody']), { code: 1, err: /no provider nobody/ })
    t.match(await otep(['provider', 'rotate', 'acme']), {
      code: 0,
      out: /^otep_acme_/,
      err: /before is accepted until 20/,
    })
    t.match(await otep(['provider', 'list']), {
      out: /acme +valid +all businesses .* expires 20.* key before until 20/,
    })
    t.match(await otep(['provider', 'rotate', 'acme', '--overlap', '0h']), { code: 0 })
    t.notMatch((await otep(['provider', 'list'])).out, /key before/)
  },
)

t.test(
  'given a store that no server uses, when a key is made, then it is refused and nothing is recorded, unless --init is said',
  async (t) => {
    const { otep } = terminal(t)
    const own = ['--new-business', 'Acme', '--time-zone', 'Europe/Paris', '--currency', 'EUR']
    await otep(['account', 'add', 'dee@acme.example', '--role', 'driver', ...own])
    const lines = [
      ['provider', 'add', 'acme', '--all-businesses'],
      ['key', 'add', '1', '--name', 'Van', '--scopes', 'orders:read'],
    ]
    const err = /^No server uses the store .*otep\.db, so none would know the key\. Start the server .* --init /
    for (const refused of await Promise.all(lines.map((line) => otep(line))))
      t.match(refused, { code: 1, out: '', err })
    for (const name of ['provider', 'key']) t.equal((await otep([name, 'list', '--json'])).out, '[]\n')
    const noted = { code: 0, out: /^ot/, err: /No server uses this store now/ }
    for (const line of lines) t.match(await otep([...line, '--init']), noted)
    t.match(await otep(['provider', 'rotate', 'acme']), noted, 'who replaces a key has found its store')
    t.match(await otep(['key', 'rotate', '1']), noted)
  },
)

t.test('a staff role is made for a business, given, listed, replaced and deleted', async (t) => {
  const { otep } = terminal(t)
  const own = ['--new-business', 'Acme', '--time-zone', 'Europe/Paris', '--currency', 'EUR']
  await otep(['account', 'add', 'eve@acme.example', '--role', 'client_employee', ...own])
  await otep(['account', 'add', 'dee@acme.example', '--role', 'driver', '--business', '1'])
  const role = (...words: readonly string[]) => otep(['role', ...words, '--business', '1'])
  t.match(await role('add', 'Floor', '--scopes', 'accounts:write'), { code: 1, out: '' })
  t.match(await role('add', 'Floor', '--preset', 'floor'), { code: 1, out: '' })
  t.match(await role('add', 'Floor', '--preset', 'warehouse'), { code: 0, out: /^Staff role 1: Floor/ })
  t.match(await otep(['role', 'give', '1', '2']), { code: 1, err: /client_employee/ })
  t.match(await otep(['role', 'give', '1', '1']), { code: 0, out: 'Account 1 has staff role 1.\n' })
  t.match(await role('delete', '1'), { code: 1, err: /\(1\)/ })
  t.equal((await role('change', '1', '--name', 'Desk', '--scopes', 'orders:read', '--read-only')).code, 0)
  t.match(await role('list'), { out: /1 {2}accounts 1 +Desk \(orders:read; read only\)/ })
  t.equal((await otep(['role', 'give', 'none', '1'])).code, 0)
  t.match(await role('delete', '1'), { code: 0, out: 'Staff role 1 is deleted.\n' })
  t.equal((await role('list')).out, '')
})

t.test('the single sign-on of a business is shown, and what is not there is refused', async (t) => {
  const { otep } = terminal(t)
  const own = ['--new-business', 'Acme', '--time-zone', 'Europe/Paris', '--currency', 'EUR']
  await otep(['account', 'add', 'ann@acme.example', '--role', 'client_admin', ...own])
  const out =
    /^No identity provider\.\nRedirect URI: http:\/\/localhost:3000\/account\/sign-on\/1\nBack-channel logout URI: http:\/\/localhost:3000\/oauth\/backchannel-logout\/1\n$/
  t.match(await otep(['sign-on', 'show', '1']), { code: 0, out })
  t.match(await otep(['sign-on', 'show', '2']), { code: 1, err: /no such business/ })
  t.match(await otep(['sign-on', 'confirm', '1', 'acme.example']), { code: 1, err: /has not claimed/ })
  t.match(await otep(['sign-on', 'release', '1', 'Acme.example']), { code: 1, err: /the domain acme\.example/ })
  t.match(await otep(['sign-on', 'remove', '1']), { code: 1, err: /no single sign-on/ })
})

t.test('an API key is made for an account, listed, replaced and revoked', async (t) => {
  const { otep } = terminal(t)
  const own = ['--new-business', 'Acme', '--time-zone', 'Europe/Paris', '--currency', 'EUR']
  await otep(['account', 'add', 'dee@acme.example', '--role', 'driver', ...own])
  const add = (...more: readonly string[]) => otep(['key', 'add', '1', '--name', 'Van', '--init', ...more])
  for (const wrong of [
    ['--scopes', 'webhooks:write'],
    ['--scopes', 'account:self'],
    ['--scopes', 'orders'],
  ])
    t.match(await add(...wrong), { code: 1, out: '' })
  t.match(await add(), { code: 2, err: /--name NAME and --scopes SCOPES/ })
  t.match(await otep(['key', 'add', '9', '--name', 'Van', '--scopes', 'orders:read', '--init']), {
    code: 1,
    err: /no such account/,
  })
  t.match(await add('--scopes', 'orders:read, routes:read', '--operations', 'get_orders', '--read-only'), {
    ...{ code: 0, out: /^otk_1_[0-9a-f]{72}\n$/ },
    err: /API key 1. It is shown only once, and expires at 20/,
  })
  t.match(await otep(['key', 'list']), {
    out: /1 {2}account 1 {2}valid +expires 20.* last used never {2}Van \(orders:read,routes:read; read only; get_orders\)/,
  })
  t.match(await otep(['key', 'rotate', '1', '--overlap', '7d', '--expires', '90d']), {
    ...{ code: 0, out: /^otk_1_/ },
    err: /before is accepted until 20/,
  })
  t.match(JSON.parse((await otep(['key', 'list', '1', '--json'])).out), [{ key_id: 1, previous_key_until: /^20/ }])
  t.equal((await otep(['key', 'list', '2'])).out, '')
  t.match(await otep(['key', 'revoke', '1']), { code: 0, out: 'API key 1 is revoked.\n' })
  t.match(await otep(['key', 'rotate', '1']), { code: 1, err: /revoked/ })
  t.match(await otep(['key', 'revoke', '2']), { code: 1, err: /no such API key/ })
  t.match((await otep(['key', 'list'])).out, / revoked /)
})

t.test('an account', async (t) => {
  const own = ['--new-business', 'Acme', '--time-zone', 'Europe/Paris', '--currency', 'EUR']
  const add = ['account', 'add', 'ada@acme.example', '--role', 'client_admin']
  t.test('is opened with its business, in a store that is made for it, and its password is shown once', async (t) => {
    const { otep } = terminal(t)
    const added = await otep([...add, ...own])
    t.match(added, { code: 0, out: /^[\w-]{20}\n$/, err: /^Account 1 of business 1\.\n/m })
    t.match((await otep(['account', 'list'])).out, /1 +business 1 +client_admin +active +ada@acme\.example\n/)
    t.notMatch((await otep(['account', 'list', '--json'])).out, added.out.trim())
    t.match(await otep([...add, ...own]), { code: 1, err: /already/ })
    t.match(await otep(['provider', 'add', 'acme', '--business', '1', '--init']), { code: 0, out: /^otep_acme_/ })
    t.match(await otep(['provider', 'add', 'beta', '--business', '2', '--init']), { code: 1, err: /no such business/ })
    t.match((await otep(['provider', 'list', '--json'])).out, '"business_id":1')
  })
  t.test('has the password of the standard input, is disabled, and has what its business has', async (t) => {
    const { otep } = terminal(t)
    const given = await otep([...add, ...own, '--password-stdin', '--json'], { input: 'a good password\n' })
    t.same(JSON.parse(given.out), { account_id: 1, business_id: 1 })
    t.match(await otep(['account', 'password', '1', '--password-stdin'], { input: 'short' }), { code: 1, err: /10/ })
    t.match(await otep(['account', 'password', '1', '--password-stdin'], { input: 'ada@acme.example' }), {
      code: 1,
      err: /made of the name/,
    })
    t.match(await otep(['account', 'password', '1']), { code: 0, out: /^[\w-]{20}\n$/ })
    t.match(await otep(['account', 'email', '1', 'ada@new.example']), {
      code: 0,
      out: 'Account 1 signs in with ada@new.example.\n',
    })
    t.match((await otep(['account', 'list'])).out, 'ada@new.example')
    t.match(await otep(['account', 'email', '1']), { code: 2 })
    t.match(await otep(['account', 'password', '1', 'more']), { code: 2 })
    const link = ['account', 'link', '1', '--subject', 's-1']
    t.match(await otep(link), { code: 2, err: /OTEP_OAUTH_ISSUER/ })
    t.match(await otep([...link, '--issuer', 'http://idp.example']), { code: 1, err: /https/ })
    const linked = { code: 0, out: 'Account 1 is linked with s-1 of https://idp.example.\n' }
    t.match(await otep([...link, '--issuer', 'https://idp.example']), linked)
    t.match(await otep(link, { env: { OTEP_OAUTH_ISSUER: 'https://idp.example' } }), linked)
    t.match(await otep(['account', 'disable', '1']), { code: 0, out: 'Account 1 is disabled.\n' })
    t.match(await otep(['account', 'list', '--business', '1']), { out: /disabled/ })
    t.match(await otep(['account', 'enable', '1', '--json']), { out: /"is_active":true/ })
    t.match(await otep(['account', 'disable', '9']), { code: 1, err: /no such account/ })
    t.match(await otep(['module', 'set', '1', 'order_chat', 'revoked']), {
      code: 0,
      out: /order_chat of business 1 is revoked/,
    })
    t.match(await otep(['module', 'enable', '1', 'broker_assignment']), {
      code: 0,
      out: /broker_assignment of business 1 is on/,
    })
    t.match(await otep(['module', 'disable', '1', 'device_orders', '--json']), { out: /"state":"revoked"/ })
    const { out } = await otep(['module', 'list', '1'])
    t.match(out, /^broker_assignment +on\ndevice_orders +revoked\norder_chat +revoked\n/)
    t.match(await otep(['module', 'enable', '1', 'order_chat']), { code: 1, err: /does not exist in this version/ })
    for (const line of [
      ['list', '9'],
      ['enable', '9', 'device_orders'],
    ])
      t.match(await otep(['module', ...line]), { code: 1, err: /no such business/ })
    t.match(await otep(['module', 'set', '1', 'fax', 'on']), { code: 1, err: /order_chat/ })
  })
  t.test('of a service is opened without a password, gets keys, and is listed by its name', async (t) => {
    const { otep } = terminal(t)
    await otep([...add, ...own])
    const robot = ['account', 'add-service', 'Warehouse system', '--business', '1']
    t.match(await otep(robot), { code: 2, err: /--role/ })
    t.match(await otep([...robot, '--role', 'driver']), { code: 1, err: /client_employee/ })
    t.match(await otep([...robot, '--role', 'client_employee']), { code: 0, out: /^Service account 2 of business 1\./ })
    t.match(
      (await otep(['account', 'list'])).out,
      /2 +business 1 +client_employee +active +service: Warehouse system\n/,
    )
    t.match(await otep(['key', 'add', '2', '--name', 'x', '--scopes', 'orders:read', '--init']), {
      code: 0,
      out: /^otk_/,
    })
    for (const verb of ['password', 'remove-factors'])
      t.match(await otep(['account', verb, '2']), { code: 1, err: /Nobody signs in to a service account/ })
    t.match(await otep(['forget', '--account', '2', '--yes']), { code: 0 })
    t.match((await otep(['account', 'list'])).out, /disabled +\(erased\)\n/)
  })
  t.test('is not opened where the line is not understood', async (t) => {
    const { dataDir, otep } = terminal(t)
    for (const line of [
      ['account'],
      ['account', 'fly'],
      ['account', 'disable', 'x', '--data-dir', dataDir],
      ['account', 'list', 'x'],
      ['account', 'add', 'a', 'b'],
      ['module', 'set', '1', 'order_chat'],
      ['module', 'enable', '1'],
      ['module', 'disable', '1', 'device_orders', 'on'],
      ['module', 'list'],
      ['module', 'fly', '1', 'device_orders'],
      ['app', 'add', 'shop'],
      ['app', 'fly', 'shop'],
    ])
      t.match(await otep(line), { code: 2 }, line.join(' '))
    t.match(await otep([...add, ...own, '--business', '1']), { code: 2, err: /either/ })
    t.match(await otep([...add, ...own, '--time-zone', 'Mars/X']), { code: 1, err: /Mars\/X/ })
    t.match(await otep(['account', 'add', 'no email', '--role', 'owner', ...own]), { code: 1, err: /email/ })
  })
})

t.test('an app is set up from files, assigned, shown and switched', async (t) => {
  const { dataDir, otep } = terminal(t)
  await otep([
    'account',
    'add',
    'a@acme.example',
    '--role',
    'customer',
    '--new-business',
    'A',
    '--time-zone',
    'UTC',
    '--currency',
    'EUR',
  ])
  const app = {
    name: 'Shop',
    type: 'consumer',
    schema_version: 1,
    roles: ['customer'],
    providers: [],
    capabilities: [],
    versions: [],
  }
  const client = {
    display_name: 'A',
    business_id: 1,
    methods: ['email'],
    capabilities: [],
    quick_actions: [],
    default_phone_region: 'FR',
  }
  writeFileSync(join(dataDir, 'app.json'), JSON.stringify(app))
  t.equal((await otep(['app', 'add', 'shop', join(dataDir, 'app.json')])).code, 0)
  t.equal((await otep(['app', 'assign', 'shop', 'acme', '-'], { input: JSON.stringify(client) })).code, 0)
  t.match(JSON.parse((await otep(['app', 'show', 'shop'])).out), {
    ...{ app_code: 'shop', is_available: true, configuration_version: 2, settings: app },
    clients: [{ client_code: 'acme', is_available: true, settings: client }],
  })
  t.match(await otep(['app', 'disable', 'shop', 'acme', '--json']), { code: 0, out: /"is_available":false/ })
  t.match(await otep(['app', 'enable', 'shop']), { code: 0, out: '' })
  t.match(await otep(['app', 'show', 'none']), { code: 1, err: /no such app/ })
  t.match(await otep(['app', 'assign', 'shop', 'x', '-'], { input: '[]' }), { code: 2, err: /JSON object/ })
  t.match(await otep(['app', 'add', 'shop', '-'], { input: '{"name":1}' }), { code: 1, err: /settings\.name/ })
})

t.test('messages come in the language of the environment', async (t) => {
  const { otep } = terminal(t)
  await otep(['provider', 'add', 'acme', '--all-businesses', '--init'])
  t.match((await otep(['show', 'none'], { env: { LANG: 'de_DE.UTF-8' } })).err, /Sendungsnummer|bekannt/)
})

t.test('given events, when the read models are listed and rebuilt, then their rows are told', async (t) => {
  const { otep, dataDir } = terminal(t)
  await otep(['ingest', example('happy-path.json')])
  const identifiersIn = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; rows: number })
      .find(({ name }) => name === 'identifiers')
  const listed = identifiersIn((await otep(['rebuild', '--json'])).out)
  t.match(listed, { name: 'identifiers', version: 3, caught_up: true, checkpoint: /^\d+$/ })
  const { rows = 0 } = listed ?? {}
  t.ok(rows > 0)
  t.match(await otep(['rebuild']), {
    code: 0,
    out: new RegExp(`^identifiers +version 3 +${rows} rows +caught up at \\d+$`, 'm'),
  })
  const remove = () => {
    for (const file of readdirSync(dataDir)) if (file.startsWith('models.db')) rmSync(join(dataDir, file))
  }
  remove()
  t.match(await otep(['rebuild', 'identifiers'], { tty: true }), { code: 0, out: `identifiers: ${rows} rows\n` })
  t.same(identifiersIn((await otep(['rebuild', '--all', '--json'])).out), { name: 'identifiers', version: 3, rows })
  t.match(await otep(['show', 'SR260610041']), { code: 0 })
  t.match(await otep(['rebuild', 'stock']), { code: 2, err: /no read model stock/ })
  t.match(await otep(['rebuild', 'identifiers', '--all']), { code: 2, err: /--all/ })
  remove()
  writeFileSync(join(dataDir, 'models.db'), 'no file of read models, and not even a database '.repeat(40))
  t.match(await otep(['show', 'SR260610041']), { code: 0 }, 'without a read model numbers are found all the same')
  t.match(await otep(['rebuild']), { code: 1, err: /not a database/ })
})

t.test(
  'given models that are rebuilt, when that is stopped, then it says what is left, and goes on next time',
  async (t) => {
    const { otep, dataDir } = terminal(t)
    await otep(['ingest', example('happy-path.json')])
    const before = await otep(['rebuild', '--all'])
    let err = ''
    const stderr = {
      ...{ isTTY: true, columns: 80 },
      write: (text: string) => {
        err += text
        if (/ \d+ rows/.test(text)) process.emit('SIGINT')
        return true
      },
    }
    const [env, stdin, stdout] = [{ OTEP_DATA_DIR: dataDir }, Readable.from(['']), { write: () => true }]
    t.equal(await run(['rebuild', '--all'], { env, stdin, stdout, stderr: stderr as never }), 1)
    t.match(err, /Stopped\. The same command continues from there; still with the old rows: .*orders.*\n$/)
    t.match(await otep(['show', 'SR260610041']), { code: 0 })
    t.match(await otep(['rebuild', '--all']), { code: 0, out: before.out })
  },
)

/** `otep webhooks listen` on a free port: its address, and its output when it ends. */
async function listening(options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const printed: string[] = []
  const terminal = new EventEmitter()
  const write = (text: string) => {
    printed.push(text)
    return terminal.emit('text')
  }
  const ended = run(['webhooks', 'listen', '--port', '0', ...options], {
    ...{ env, stdin: Readable.from(['']), stdout: { write } },
    stderr: { write, isTTY: false, columns: 80 } as never,
  }).then((code) => ({ code, out: printed.join('') }))
  await once(terminal, 'text')
  return { url: printed[0]?.replace('otep listens for webhooks on ', '').trim() ?? '', ended }
}

const webhookSecret = 'correct horse battery staple'

/** A delivery as the engine sends it. */
function delivered(given: Partial<DueDelivery>, { secret = webhookSecret, now = Date.now() } = {}) {
  const delivery: DueDelivery = {
    ...{ id: 'dlv_1', event: 'order.assigned', eventId: 'OLE-1', subject: 'order/42' },
    ...{ occurredAt: '2026-01-01T00:00:00.000Z', businessId: 7, isTest: false, isSandbox: false },
    ...{ owner: 'business.7', endpointId: 'end_1', channel: 'order_lifecycle', url: '', format: 'native' },
    ...{ standard: false, isInOrder: false, attempts: 0, attemptNumber: 1 },
    body: Buffer.from('{"event":"order.assigned","event_id":"OLE-1","data":{"order_id":42}}'),
    ...given,
  }
  const by = { version: '1.0.0', publicUrl: 'https://track.example.com', seedOf: () => '' }
  return requestOf({ delivery, keys: [{ secret }], now, ...by })
}

async function posted(url: string, { headers, body }: Pick<ReturnType<typeof delivered>, 'headers' | 'body'>) {
  const response = await fetch(url, { method: 'POST', headers: { ...headers }, body: Buffer.from(body) })
  return { status: response.status, text: await response.text() }
}

t.test('given webhooks are listened for, when deliveries come, then each is verified, answered and told', async (t) => {
  const { url, ended } = await listening(['--secret', webhookSecret, '--count', '9', '--fail', '1'])
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const status = async (request: ReturnType<typeof delivered>) => (await posted(url, request)).status
  t.equal(await status(delivered({})), 500, 'the first fails on purpose')
  t.equal(await status(delivered({ attemptNumber: 2 })), 200)
  t.equal(await status(delivered({ attemptNumber: 3, standard: true, format: 'ce_binary' })), 200)
  t.equal(await status(delivered({}, { secret: 'another secret, long enough' })), 401)
  t.equal(await status(delivered({}, { now: Date.now() - 600_000 })), 401)
  const stripped = { headers: {}, body: Buffer.from('{"event":"\\u001b[31m\\u202ered\\r\\nfake line"}') }
  t.equal((await posted(url, stripped)).status, 401)
  for (const channel of ['tenant', 'third_party_delivery'] as const) t.equal(await status(delivered({ channel })), 200)
  const challenge = delivered({
    channel: 'order_handoff',
    eventId: 'OHM-1',
    body: Buffer.from('{"challenge":"b3Blbg"}'),
  })
  t.match(await posted(url, challenge), { status: 200, text: '{"challenge":"b3Blbg"}' })
  const { code, out } = await ended
  t.equal(code, 0)
  const lines = out.trim().split('\n')
  const told = [
    /listens for webhooks on/,
    /^\d\d:\d\d:\d\dZ {2}order\.assigned {2}OLE-1 {2}attempt 1 {2}order\/42 {2}verified \(x-webhook-signature-v2, signature\) {2}-> 500$/,
    /attempt 2 .*-> 200$/,
    /attempt 3 .*verified \(webhook-signature, x-webhook-signature-v2, signature\) {2}-> 200 {2}again$/,
    /refused \(x-webhook-signature-v2: wrong signature, signature: wrong signature\) {2}-> 401$/,
    /refused \(x-webhook-signature-v2: stale, its timestamp is more than five minutes off, signature\) {2}-> 401$/,
    /refused: no signature {2}-> 401$/,
    /verified \(signature\) {2}-> 200 {2}again$/,
    /verified \(x-webhook-signature\) {2}-> 200 {2}again$/,
    /challenge .*verified \(x-ohp-signature\) {2}-> 200$/,
    /^5 accepted, 3 refused, 1 failed on purpose$/,
  ]
  t.equal(lines.length, told.length)
  for (const [index, line] of lines.entries()) t.match(line, told[index])
  t.notMatch(out, /[^\P{C}\n]/u, 'nothing of a sender moves the cursor')
})

t.test('given no secret, when webhooks are listened for, then everything is accepted, and that is said', async (t) => {
  const { url, ended } = await listening(['--status', '202', '--body', '--count', '3'])
  const send = (body: string | Buffer) => posted(url, { headers: {}, body: Buffer.from(body) })
  t.equal((await fetch(url)).status, 405)
  t.equal((await send(Buffer.alloc(1024 * 1024 + 1))).status, 413)
  t.equal((await send('{"event":"a","data":{"note":"\u009b\u202e"}}')).status, 202)
  t.equal((await send(Buffer.from([0x1b, 0x5b, 0xff, 0x0a]))).status, 202)
  t.equal((await send('[1]')).status, 202)
  const { out } = await ended
  t.notMatch(out, '  again', 'what has no id is not known again')
  t.match(out, /Without a secret \(--secret, or OTEP_WEBHOOK_SECRET\) nothing is verified/)
  t.match(out, /^\d\d:\d\d:\d\dZ {2}passed over: GET instead of POST {2}-> 405$/m)
  t.match(out, /^\d\d:\d\d:\d\dZ {2}passed over: a body of more than 1 MiB {2}-> 413$/m)
  t.match(out, / {2}a {2}- {2}attempt - {2}- {2}not verified {2}-> 202\n\{\n {2}"event": "a",/)
  t.match(out, '"note": "\\u009b\\u202e"')
  t.match(out, '\\u001b[\uFFFD\n')
  t.notMatch(out, /[^\P{C}\n]/u)
  t.match(out, /3 accepted, 0 refused, 0 failed on purpose\n$/)
})

t.test('given the secret in the environment, or a port that is taken, then that is noticed', async (t) => {
  const { url, ended } = await listening(['--count', '1'], { OTEP_WEBHOOK_SECRET: webhookSecret })
  const { otep } = terminal(t)
  t.match(await otep(['webhooks', 'listen', '--port', new URL(url).port]), {
    code: 1,
    err: /EADDRINUSE.*\nUse --port to choose another port; 0 takes any free one\.\n$/,
  })
  t.equal((await posted(url, delivered({}, { secret: 'another secret, long enough' }))).status, 401)
  t.match(await ended, { code: 0, out: /0 accepted, 1 refused/ })
})

t.test('given half a delivery has come, when the program is asked to end, then it ends with a count', async (t) => {
  const { url, ended } = await listening([])
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n{}')
  // A `100 Continue` shows that the request is in progress.
  t.match(String(await once(socket, 'data')), '100 Continue')
  process.emit('SIGTERM')
  t.match(await ended, { code: 0, out: /0 accepted, 0 refused, 0 failed on purpose\n$/ })
})

/** The files of a store as the first version of each schema left them. */
async function storeOfThePast(t: Test) {
  const { otep, dataDir } = terminal(t)
  await otep(['ingest', example('happy-path.json')])
  const change = (name: string, sql: string) => {
    const database = new (chooseDriver())(join(dataDir, name))
    database.exec(sql)
    database.close()
  }
  change(
    'otep.db',
    `ALTER TABLE events DROP COLUMN sum; DROP TABLE leases; DROP TABLE keys; DROP TABLE history; PRAGMA user_version = 1`,
  )
  openDeliveries(join(dataDir, 'webhooks.db')).close()
  change(
    'webhooks.db',
    `DROP TRIGGER next_in_order; DROP INDEX deliveries_in_order; ALTER TABLE deliveries DROP COLUMN sequence;
     ALTER TABLE deliveries DROP COLUMN in_order; PRAGMA user_version = 1`,
  )
  return { otep, dataDir, change }
}

t.test(
  'given files of the first schemas, when an upgrade is checked, then it says what will happen and changes nothing',
  async (t) => {
    const { otep, dataDir } = await storeOfThePast(t)
    for (const _ of [1, 2]) {
      const { code, out } = await otep(['upgrade', '--check'])
      t.equal(code, 0)
      t.match(out, /otep\.db: schema 1, which this version brings up to 2\n/)
      t.match(out, /webhooks\.db: schema 1, which this version brings up to 9\n/)
      t.match(out, /migrates this store.*backup first/)
    }
    const { out } = await otep(['upgrade', '--check', '--json'])
    t.match(JSON.parse(out), { store: join(dataDir, 'otep.db'), opens: true, migrates: true, later: [] })
  },
)

t.test(
  'given defaults that have changed, when an upgrade is checked, then it says so to those whom they concern',
  async (t) => {
    const { otep } = await storeOfThePast(t)
    const { out } = await otep(['upgrade', '--check'])
    for (const names of ['OTEP_PUBLIC_VIEW', 'HOST or OTEP_BASE_URL', 'OTEP_METRICS_TOKEN or OTEP_METRICS_PORT'])
      t.match(out, `new default, without ${names}: `)
    const { defaults } = JSON.parse((await otep(['upgrade', '--check', '--json'], { env: { HOST: '0.0.0.0' } })).out)
    t.same(
      defaults.map(({ settings: [name] }: { readonly settings: readonly string[] }) => name),
      ['OTEP_PUBLIC_VIEW', 'OTEP_METRICS_TOKEN'],
    )
  },
)

t.test(
  'given a backup before the upgrade, when one goes back, then the old version finds its own schema',
  async (t) => {
    const { otep, dataDir } = await storeOfThePast(t)
    const before = join(dataDir, 'before.db')
    t.equal((await otep(['backup', before])).code, 0)
    const listed = await otep(['provider', 'list'])
    t.equal(listed.code, 0, 'a command that opens the store migrates it')
    t.match(await otep(['upgrade', '--check']), { code: 0, out: /otep\.db: schema 2, as this version writes it\n/ })
    t.match(await otep(['upgrade', '--check', '--store', `sqlite:${before}`]), { out: /before\.db: schema 1, / })
    t.match(await otep(['restore', before, '--store', `sqlite:${join(dataDir, 'again', 'otep.db')}`]), { code: 0 })
  },
)

t.test(
  'given what this version cannot open, when an upgrade is checked, then it says so and ends with 1',
  async (t) => {
    const { otep, dataDir, change } = await storeOfThePast(t)
    change('otep.db', 'PRAGMA user_version = 99')
    t.match(await otep(['upgrade', '--check']), {
      code: 1,
      out: /schema 99, newer than 2[\s\S]*cannot open this store/,
    })
    change(
      'otep.db',
      `PRAGMA user_version = 1; UPDATE events SET meta = json_set(meta, '$.schemaVersion', 77) WHERE pos = 2`,
    )
    t.match(await otep(['upgrade', '--check']), { code: 1, out: /events of version 77, which a later version/ })
    writeFileSync(join(dataDir, 'models.db'), 'notes of somebody'.repeat(100))
    t.match(await otep(['upgrade', '--check']), { code: 1, out: /models\.db: not a file of this engine\n/ })
    t.match(await otep(['upgrade']), { code: 2, err: /--check/ })
    t.match(await otep(['upgrade', '--check', '--store', 'memory:']), { code: 1 })
  },
)
/** A store with a business and its admin, who sends requests to an app on it. */
async function business(t: Test) {
  const { dataDir, otep } = terminal(t)
  const line = ['account', 'add', 'ann@acme.example', '--role', 'client_admin', '--new-business', 'Acme', '--json']
  const { password } = JSON.parse((await otep([...line, '--time-zone', 'UTC', '--currency', 'EUR'])).out)
  const env = { OTEP_DATA_DIR: dataDir }
  const address = storeFrom(env)
  const store = await openStore(address)
  t.teardown(() => store.close())
  const file = deliveriesFileOf(dataDir, address) ?? ''
  const app = createApp({ store, secret: secretFrom(env), webhooks: { file, allow: ['127.0.0.0/8'] } })
  async function ask(path: string, body: object, { method = 'POST', token = '' } = {}) {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
    const answer = await app.request(`/api/v1/${path}`, { method, headers, ...sent })
    return JSON.parse(await answer.text())
  }
  const { access_token: token } = await ask('user/login', { email: 'ann@acme.example', password })
  return { otep, dataDir, ask: (path: string, body: object, method?: string) => ask(path, body, { method, token }) }
}

t.test(
  'given a store, when its webhook events are forwarded, then the chosen ones come signed, without any setting',
  async (t) => {
    const { ask, dataDir } = await business(t)
    const receiver = await listening(['--secret', webhookSecret, '--count', '1'])
    const printed: string[] = []
    const written = new EventEmitter()
    const write = (text: string) => {
      printed.push(text)
      return written.emit('text')
    }
    const chosen = ['--events', 'order.created', '--business', '1', '--secret', webhookSecret, '--count', '1', '--body']
    const line = ['webhooks', 'listen', '--forward-to', receiver.url, ...chosen]
    const started = once(written, 'text')
    const forwarding = run(line, {
      ...{ env: { OTEP_DATA_DIR: dataDir }, stdin: Readable.from(['']), stdout: { write } },
      stderr: { write, isTTY: false, columns: 80 } as never,
    })
    await started
    await ask('orders', { type: 'D', items: 1, delivery: { name: 'Ana', address: { street: '1 Main St' } } })
    t.equal(await forwarding, 0)
    const out = printed.join('')
    t.match(out, `otep forwards webhook events to ${receiver.url}/, signed with ${webhookSecret}\n`)
    t.match(
      out,
      / {2}order\.created {2}EVT-\S+ {2}attempt 1 {2}order\/1 {2}-> 200 \d+ ms\n\{\n {2}"event": "order\.created"/,
    )
    t.match(out, /\n1 delivered, 0 failed\n$/)
    t.match((await receiver.ended).out, /verified \(webhook-signature, signature\) {2}-> 200/)
  },
)

t.test(
  'given a receiver, when an event is triggered, then its example comes, signed and marked as a test',
  async (t) => {
    const { otep } = terminal(t)
    const receiver = await listening(['--secret', webhookSecret, '--count', '3'])
    const to = ['--forward-to', receiver.url]
    const signed = [...to, '--secret', webhookSecret]
    for (const event of ['order.completed', 'delivery.assignment.created'])
      t.match(await otep(['webhooks', 'trigger', event, ...signed]), { code: 0, out: /TEST-.*-> 200 \d+ ms\n$/ })
    t.match(await otep(['webhooks', 'trigger', 'order.completed', ...to]), { code: 1, out: /-> 401 \d+ ms\n$/ })
    t.match((await receiver.ended).out, /verified \(webhook-signature, x-webhook-signature-v2, signature\) {2}-> 200\n/)
    t.match(await otep(['webhooks', 'trigger', 'order.completed', ...to]), { code: 1, out: /-> refused\n$/ })
    t.match(await otep(['webhooks', 'trigger', 'order.complete']), {
      code: 2,
      err: 'There is no event order.complete. Did you mean order.completed?\n',
    })
    t.match(await otep(['webhooks', 'listen', ...to, '--events', 'order.created,ordr.deleted']), {
      code: 2,
      err: 'There is no event ordr.deleted. Did you mean order.deleted?\n',
    })
    t.match(await otep(['webhooks', 'trigger', 'weather']), { code: 2, err: /lists them/ })
    t.match(await otep(['webhooks', 'trigger', 'order.created', '--forward-to', 'ftp://a']), {
      code: 2,
      err: /takes a URL/,
    })
  },
)

t.test('given a delivery of the log, when it is sent again, then to a URL at once, or by the server', async (t) => {
  const { ask, otep } = await business(t)
  const receiver = await listening(['--secret', webhookSecret, '--count', '2'])
  const settings = { order_create_webhook_url: receiver.url, webhook_sign_secret: webhookSecret }
  await ask('webhook-settings', settings, 'PUT')
  const { delivery } = await ask('webhook-settings/test', { field: 'order_create_webhook_url' })
  t.equal(delivery.state, 'delivered')
  const { delivery_id: id, event_id } = delivery
  t.match(await otep(['webhooks', 'resend', id, '--forward-to', receiver.url, '--secret', webhookSecret]), {
    code: 0,
    out: /order\.created .*-> 200 \d+ ms\n$/,
  })
  t.match((await receiver.ended).out, /order\.created .*verified \(webhook-signature, signature\) {2}-> 200/)
  t.ok(event_id)
  const again = otep(['webhooks', 'resend', id])
  const listed = async () => (await ask('webhook-deliveries', {}, 'GET')).total
  while ((await listed()) < 2) await setTimeout(20)
  process.emit('SIGTERM')
  t.match(await again, { code: 1, out: /^It is sent again as \S+; a running server .*\nwaiting\n$/ })
  t.match(await otep(['webhooks', 'resend', 'dlv_0']), { code: 1, err: /There is no delivery dlv_0/ })
})

t.test(
  'given events that are parked, when they are listed and rebuilt, then the exit code says what was found',
  async (t) => {
    const { otep, dataDir } = await business(t)
    t.match(await otep(['webhooks', 'parked']), { code: 0, out: '' })
    t.match(await otep(['webhooks', 'rebuild', 'all']), { code: 0, out: /again: 0\n$/ })
    const store = await openStore(storeFrom({ OTEP_DATA_DIR: dataDir }))
    const events: RecordedEvent[] = []
    for await (const event of store.readAll()) events.push(event)
    const [first, second] = events
    const park = createPark(store, () => 0)
    for (const event of [first, second])
      if (event !== undefined) await park(event, event, new RangeError('what is private'))
    await store.close()
    const { code, out } = await otep(['webhooks', 'parked'])
    t.equal(code, 1)
    t.match(
      out,
      `${first?.id}  ${first?.type}  ${first?.position}  RangeError  1970-01-01T00:00:00.000Z\n${second?.id}  `,
    )
    t.notMatch(out, /private/)
    t.match(await otep(['webhooks', 'rebuild', randomUUID()]), { code: 1, out: /again: 0\n$/ })
    t.match(await otep(['webhooks', 'rebuild', 'first']), { code: 1, err: /event_id/ })
    t.match(await otep(['webhooks', 'rebuild', first?.id ?? '']), { code: 0, out: /again: 1\n$/ })
    t.match(JSON.parse((await otep(['webhooks', 'parked', '--json'])).out), { parked: [{ event_id: second?.id }] })
    t.same(JSON.parse((await otep(['webhooks', 'rebuild', 'all', '--json'])).out), { rebuilt: 1 })
    t.match(await otep(['webhooks', 'parked']), { code: 0, out: '' })
    t.match(await otep(['webhooks', 'parked', 'more']), { code: 2, err: /parked, rebuild ID\|all/ })
  },
)

/** The lines that counts lead to, each a second after the one before it. */
function counted(isTTY: boolean, counts: readonly (readonly [what: string, done: number, total?: number])[]) {
  const lines: string[] = []
  const write = (text: string) => lines.push(text.replace('\r\u001b[K', '')) > 0
  let now = 0
  const counting = countingOn({ stderr: { write, isTTY, columns: 80 } as never }, () => now)
  for (const [what, done, total] of counts) {
    counting.at(what, done, total)
    now += 1_000
  }
  return lines
}

t.test('given a long task, when it counts, then a terminal shows how fast it goes, and what is left', async (t) => {
  t.same(
    counted(true, [
      ['events', 0, 4_000],
      ['events', 400, 4_000],
      ['events', 1_000, 4_000],
      ['streams', 1, 30_001],
      ['streams', 101, 30_001],
      ['rows', 5],
      ['rows', 55],
      ['rows', 7],
    ]),
    [
      '[..............................]   0% 0 of 4000 events',
      '[###...........................]  10% 400 of 4000 events, 400/s, 9 s left',
      '[########......................]  25% 1000 of 4000 events, 500/s, 6 s left',
      '[..............................]   0% 1 of 30001 streams',
      '[..............................]   0% 101 of 30001 streams, 100/s, 5 min left',
      ' 5 rows',
      ' 55 rows, 50/s',
      ' 7 rows',
    ],
  )
  t.same(counted(false, [['events', 0, 9]]), [], 'and nothing elsewhere')
})
