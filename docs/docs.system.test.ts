import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type * as worlds from '../adapters/auth/world.test.fixture.ts'
import { program, projectFolder } from '../conformance/program/files.ts'
import { writeProgram } from '../conformance/program/tree.ts'
import { projectionSuite } from '../conformance/suites/index.ts'
import type * as engine from '../engine/index.ts'
import type { Projection } from '../engine/index.ts'
import type * as trades from '../profiles/index.ts'
import { changesOf, filesOf, withChange } from './check/blocks.ts'
import { runBlocks } from './check/session.ts'
import { pages } from './pages.test.fixture.ts'
import { firstPages, missing, runPages } from './run.test.fixture.ts'

const root = projectFolder

runPages((path) => firstPages.includes(path))

t.test(
  'given a page that calls npx without --no, or with an option before the command, then its block does not run',
  { skip: missing !== undefined && `there is no ${missing}` },
  async (t) => {
    const place = { directory: t.testdir({}), program, port: 0 }
    const codeOf = async (text: string) => (await runBlocks([{ text, line: 1, expected: undefined }], place)).code
    t.equal(await codeOf('npx --no otep formats'), 0)
    for (const words of ['otep formats', '--no otep --help', '--yes otep formats']) {
      t.equal(await codeOf(`npx ${words}`), 127, words)
    }
  },
)

/** The sources that a page tells its reader to write or to change, by their paths. */
function sourcesOf(page: string): Map<string, string> {
  const sources = new Map(filesOf(page))
  for (const [path, change] of changesOf(page))
    sources.set(path, withChange(sources.get(path) ?? readFileSync(join(root, path), 'utf8'), change))
  return sources
}

t.test(
  'given the page on adding a format, when its reader does what it says, then the program has the format',
  async (t) => {
    const page = pages.get('docs/how-to/add-a-format.md') ?? ''
    const directory = t.testdir({})
    const extended = writeProgram(directory, sourcesOf(page))
    const otep = (...args: readonly string[]) =>
      spawnSync(process.execPath, [extended, ...args], {
        encoding: 'utf8',
        cwd: root,
        env: { PATH: process.env.PATH ?? '' },
      })
    const journey = join('docs', 'examples', 'happy-path.json')
    const { stdout, stderr } = otep('project', journey, '--format', 'diary', '--accept', 'text/plain')
    t.equal(stderr, '')
    t.match(stdout, /^2026-06-\d\d announced\n[\s\S]*2026-06-\d\d delivered\n$/)
    t.match(JSON.parse(otep('project', journey, '--format', 'diary').stdout), {
      parcel: 'SR260610041',
      page: 'http://localhost:3000/track/SR260610041',
    })
    t.match(otep('formats').stdout, /diary +Diary 1 \(history\)\n/)
    const { diary } = (await import(join(directory, 'dist', 'projections', 'diary', 'index.js'))) as {
      diary: Projection
    }
    projectionSuite((name, run) => t.test(name, run), diary)
  },
)

t.test(
  'given the page on adding a profile, when its reader does what it says, then every surface has the three codes',
  async (t) => {
    const directory = t.testdir({})
    const page = pages.get('docs/how-to/add-a-profile.md') ?? ''
    const sources = sourcesOf(page)
    for (const fixture of ['adapters/auth/world', 'adapters/auth/recording', 'engine/testing/recording']) {
      const path = `${fixture}.test.fixture.ts`
      sources.set(path, readFileSync(join(root, path), 'utf8'))
    }
    writeProgram(directory, sources)
    const compiled = <Module>(path: string): Promise<Module> => import(join(directory, 'dist', path))
    const { world } = await compiled<typeof worlds>('adapters/auth/world.test.fixture.js')
    const { addProvider, call, domains, en, profileFindings } = await compiled<typeof engine>('engine/index.js')
    const { profiles, unregisteredCodes } = await compiled<typeof trades>('profiles/index.js')
    const { send, tokens, ids, parts } = await world()
    const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
    const { key } = await call(
      addProvider,
      { ...parts, caller: operator, messages: en, requestId: 'test' },
      { name: 'acme', all_businesses: true },
    )
    const order = {
      type: 'D',
      customer_id: ids.customer,
      delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } },
    }
    const created = await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: order })
    const at = (hour: number, status_code: string) => ({ status_code, occurred_at: `2026-06-10T0${hour}:00:00Z` })
    const subject = { tracking_number: 'LAUNDRY1', order_id: created.body.order_id }
    const events = [at(6, 'collected'), at(7, 'washed'), at(8, 'returned')]

    t.test('then nothing is wrong with it', async (t) => {
      const laundry = profiles.find(({ name }) => name === 'laundry')
      const use = { profiles, formats: parts.formats, unregistered: Object.keys(unregisteredCodes) }
      t.same(laundry && profileFindings(laundry, use), [])
      const { washed } = laundry?.codes ?? {}
      const faulty = {
        ...laundry,
        codes: { ...laundry?.codes, washed: { ...washed, formats: { epcis: { bizStep: 'washing' } } } },
      }
      const paths = profileFindings(faulty as engine.Profile, use).map(({ path }) => path)
      t.ok(paths.includes('codes.washed.formats.epcis.bizStep'), 'a faulty row is named')
    })

    t.test('then its events are taken, and shown on the page and in other formats', async (t) => {
      const body = { profile: 'laundry', subject, events }
      const taken = await send('POST', '/api/v1/otep/ingest', { token: String(key), body })
      t.match(taken.body, { data: { accepted: 3, rejected: 0 } }, JSON.stringify(taken.body))
      t.match((await send('GET', '/track/LAUNDRY1')).body, 'The customer has the laundry back.')
      const read = async (format: string) =>
        (await send('GET', `/api/v1/otep/trackings/LAUNDRY1?format=${format}`)).body.data
      t.match(await read('otep'), { profile: 'laundry', current_status: 'returned', delivered: true })
      t.match((await read('epcis')).epcisBody.queryResults.resultsBody.eventList[1], { bizStep: 'repairing' })
      t.match(JSON.stringify(await read('woocommerce')), '"status":"completed"')
    })

    t.test('then the list of formats, the codebook and OpenAPI name it', async (t) => {
      const formats = (await send('GET', '/api/v1/otep/formats')).body.data
      const mappingOf = (token: string) =>
        formats.find(({ format }: { format: string }) => format === token).codes.laundry
      t.match(mappingOf('epcis').washed, { fidelity: '~', value: 'repairing' }, 'the row that the code carries')
      t.match(mappingOf('shopify').returned, { fidelity: '~', value: 'DELIVERED' }, 'the row of the nearest code')
      const codebook = (await send('GET', '/api/otep-guide/codebook.json')).body
      t.match(codebook.profiles.at(-1), { name: 'laundry', codes: [{ code: 'collected', next: ['washed'] }, {}, {}] })
      t.match(JSON.stringify((await send('GET', '/openapi.json')).body), 'laundry')
    })

    t.test('then webhooks tell its number and its words', async (t) => {
      const told: unknown[] = []
      for await (const event of parts.store.readAll(undefined, { category: 'tracking' }))
        for (const source of domains.flatMap((domain) => domain.webhookEventSources ?? []))
          if (source.category === 'tracking' && source.types.includes(event.type))
            for (const one of await source.webhookEventsOf({ ...parts, ...parts.ports }, event))
              told.push(one.data('business'))
      t.match(told.at(-1), {
        ...{ tracking_event_status_id: 9003, tracking_event_key: 'laundry-returned', otep_status: 'returned' },
        description: { en: 'Brought back', de: 'Zurückgebracht', it: 'Brought back' },
      })
    })
  },
)
