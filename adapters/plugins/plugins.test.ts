import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { projectFile } from '../../conformance/program/files.ts'
import { addProvider, call, createMemoryStore, en } from '../../engine/index.ts'
import { sandbox } from '../carriers/index.ts'
import { run } from '../cli/run.ts'
import { builtIn } from '../engine.ts'
import { createApp, createParts, openStore } from '../main.ts'
import { nameOfStore, storeFrom } from '../node/config.ts'
import { board, repair } from './board.test.fixture.ts'
import { nothingAdded, pluginFindings } from './findings.ts'
import { defineCarrier, defineConfig, definePlugin, defineStore, v } from './index.ts'
import { loadPlugins } from './load.ts'

const shelf = defineStore({ scheme: 'shelf', open: (_, { clock }) => createMemoryStore(clock) })
const post = defineCarrier({ ...sandbox, name: 'my-post', credentials: v.strictObject({ account: v.string() }) })
const plugin = definePlugin({ projections: [board], profiles: [repair], stores: [shelf], carriers: [post] })

t.test(
  'given the built-in formats and profiles, when they are checked as a plug-in, then nothing is wrong',
  async (t) => {
    const [format, ...projections] = builtIn.projections
    const [profile, ...profiles] = builtIn.profiles
    t.same(
      pluginFindings(
        { projections, profiles },
        { projections: [format], profiles: [profile], carriers: [], paymentProviders: [] },
      ),
      [],
    )
    t.same(pluginFindings(plugin, builtIn), [])
  },
)

const { repaired } = repair.codes

/** What is wrong with a plug-in, the plug-in, and what the finding says. */
const faulty: readonly (readonly [what: string, plugin: unknown, finding: RegExp])[] = [
  ['no plug-in', undefined, /^: the module must export "plugin"/],
  ['a list', [], /^: the module must export "plugin"/],
  ['an unknown member', { projection: board }, /^projection: is none of projections, profiles, stores, carriers/],
  ['a format that is not in a list', { projections: board }, /^projections: must be a list/],
  ['a text instead of a format', { projections: ['board'] }, /^projections: must be a list of objects/],
  ['the name of a built-in format', { projections: [{ ...board, name: 'epcis' }] }, /another format "epcis"/],
  ['two formats of one name', { projections: [board, board] }, /^projections\[0\]\.name: there is another format/],
  ['a name with a capital', { projections: [{ ...board, name: 'Board' }] }, /^projections\[0\]\.name: must consist of/],
  ['no title', { projections: [{ ...board, title: ' ' }] }, /^projections\[0\]\.title: must not be empty/],
  ['no schema', { projections: [{ ...board, schema: undefined }] }, /^projections\[0\]\.schema: is missing/],
  ['a schema of another library', { projections: [{ ...board, schema: {} }] }, /^projections\[0\]\.schema/],
  ['another kind', { projections: [{ ...board, kind: 'tree' }] }, /^projections\[0\]\.kind: must be "history"/],
  [
    'a media type with a parameter',
    { projections: [{ ...board, representations: [{ mediaType: 'text/plain; a=b' }] }] },
    /^projections\[0\]\.representations\.0\.mediaType: must be a media type/,
  ],
  [
    'one media type twice',
    { projections: [{ ...board, representations: [...board.representations, ...board.representations] }] },
    /^projections\[0\]\.representations: two representations have the media type text\/plain/,
  ],
  [
    'a table without rows',
    { projections: [{ ...board, codes: () => ({}) }] },
    /^projections\[0\]\.codes\(parcel\): lacks/,
  ],
  [
    'a table with a code of no profile',
    {
      projections: [
        { ...board, codes: (one: never) => ({ ...board.codes(one), lost: { fidelity: '=', value: 'a' } }) },
      ],
    },
    /codes\(parcel\): has lost, which is no code/,
  ],
  [
    'another fidelity',
    {
      projections: [
        { ...board, codes: (one: never) => ({ ...board.codes(one), 'x-*': { fidelity: '?', value: '' } }) },
      ],
    },
    /x-\* has the fidelity "\?"/,
  ],
  [
    'no value of a kept code',
    {
      projections: [
        { ...board, codes: (one: never) => ({ ...board.codes(one), 'x-*': { fidelity: '~', value: '' } }) },
      ],
    },
    /x-\* must have a value/,
  ],
  [
    'a document of another form',
    { projections: [{ ...board, project: () => ({}), write: () => '{}', pieces: () => ['{}'] }] },
    /^projections\[0\]\.project \(a timeline of parcel\): does not fit the schema: parcel/,
  ],
  ['another text', { projections: [{ ...board, write: () => '{}' }] }, /write makes another text than JSON.stringify/],
  ['other pieces', { projections: [{ ...board, pieces: () => ['{}'] }] }, /pieces make another text than write/],
  [
    'a format that throws',
    {
      projections: [
        {
          ...board,
          project: () => {
            throw new Error('no such state')
          },
        },
      ],
    },
    /^projections\[0\]\.project \(a timeline of parcel\): throws Error: no such state/,
  ],
  ['the name of a built-in profile', { profiles: [{ ...repair, name: 'parcel' }] }, /^profiles\[0\]\.name: .*another/],
  ['a profile without codes', { profiles: [{ ...repair, codes: undefined }] }, /^profiles\[0\]\.codes/],
  [
    'a code that is like no other',
    { profiles: [{ ...repair, codes: { ...repair.codes, repaired: { ...repaired, like: 'mended' } } }] },
    /^profiles\[0\]\.codes\.repaired\.like: "mended" is none of/,
  ],
  ['the scheme of a built-in store', { stores: [{ ...shelf, scheme: 'sqlite' }] }, /another store for sqlite:/],
  ['no scheme', { stores: [{ ...shelf, scheme: '' }] }, /^stores\[0\]\.scheme: must be a word/],
  ['the name of a built-in carrier', { carriers: [{ ...post, name: 'sandbox' }] }, /there is another carrier sandbox/],
  [
    'a carrier that does not sell',
    { carriers: [{ ...post, buy: undefined }] },
    /^carriers\[0\]\.buy: must be a function/,
  ],
  [
    'a carrier whose services have no codes',
    { carriers: [{ ...post, services: ['one'] }] },
    /^carriers\[0\]\.services: must be a list/,
  ],
  ['a store that cannot be opened', { stores: [{ scheme: 'shelf' }] }, /^stores\[0\]\.open: must be a function/],
]

for (const [what, given, finding] of faulty) {
  t.test(`given ${what}, when the plug-in is checked, then the path and the reason are told`, async (t) => {
    const told = pluginFindings(given, builtIn).map(({ path, message }) => `${path}: ${message}`)
    t.match(told[0], finding)
  })
}

t.test('given a plug-in, when another one has the same names, then the other one is refused', async (t) => {
  const told = pluginFindings(plugin, builtIn, { ...nothingAdded, ...plugin })
  t.match(
    told.map(({ path }) => path),
    ['profiles[0].name'],
  )
})

t.test(
  'given a format and a profile from outside, when the server is asked, then they are like built-in ones',
  async (t) => {
    const store = createMemoryStore(Date.now)
    const app = createApp({ store, projections: [board], profiles: [repair], publicView: 'full' })
    const text = async (path: string, headers = {}) => (await app.request(path, { headers })).text()
    const json = async (path: string) => JSON.parse(await text(path))
    const caller = { kind: 'operator', name: 'example', scopes: ['providers:write'] } as const
    const context = { ...createParts({ store }), caller, messages: en, requestId: 'test' }
    const { key } = await call(addProvider, context, { name: 'workshop', all_businesses: true })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object) =>
      (await app.request(`/api/v1/otep/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    const event = { event_id: '1', status_code: 'brought_in', occurred_at: '2026-06-10T09:00:00Z' }

    t.match(await post('ingest', { subject: { piece_id: 'R1' }, profile: 'repair', events: [event] }), { result: true })
    t.match(await post('validate', await json('/api/v1/otep/trackings/R1').then(({ data }) => data)), {
      conformant: true,
    })
    const address = '/api/v1/otep/trackings/R1'
    t.match(await json(`${address}?format=board`), { format: 'board', data: { parcel: 'R1', state: 'MOVING' } })
    t.match(await json(`${address}?format=board&lamp=on`), { data: { lamp: 'on' } })
    t.match(await json(`${address}?format=board&lamp=red`), { result: false })
    t.equal(await text(address, { accept: 'text/plain' }), 'MOVING\n', 'chosen by its media type')
    t.match(await json(`${address}?format=aftership`), { data: { meta: { code: 200 } } })

    const { data } = await json('/api/v1/otep/formats')
    const listed = data.find(({ format }: { format: string }) => format === 'board')
    t.match(listed, { options: ['lamp'], codes: { repair: { repaired: { fidelity: '~', value: 'MOVING' } } } })
    const epcis = data.find(({ format }: { format: string }) => format === 'epcis')
    t.match(epcis.codes.repair.handed_back, { fidelity: '~' }, 'a built-in format derives a row for its codes')
    t.match(await text('/openapi.json'), /"name":"lamp"/)
    t.match(await text('/api/otep-guide/codebook.json'), /"repair".*The device was handed back\./)
    t.match(await text('/track/R1'), 'The device was brought in.')
  },
)

/** A working directory with a plug-in as a file and as an installed package; the module is the compiled fixture. */
function workshop(t: Test): { readonly directory: string; readonly file: (name: string, text: string) => string } {
  const fixture = JSON.stringify(projectFile('dist', 'adapters', 'plugins', 'board.test.fixture.js'))
  const directory = t.testdir({
    'board.mjs': `import { board } from ${fixture}\nexport const plugin = { projections: [board] }\n`,
    node_modules: {
      'otep-repair': {
        'package.json': '{ "name": "otep-repair", "type": "module", "exports": "./index.js" }',
        'index.js': `import { repair } from ${fixture}\nexport const plugin = { profiles: [repair] }\n`,
      },
    },
  })
  const file = (name: string, text: string) => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  return { directory, file }
}

t.test('given a path and the name of a package, when they are loaded, then each is there once', async (t) => {
  const { directory, file } = workshop(t)
  const names = ['./board.mjs', 'otep-repair', join(directory, 'board.mjs')]
  const added = await loadPlugins(builtIn, { directory, names })
  t.strictSame([added.projections, added.profiles, added.stores], [[board], [repair], []])
  t.strictSame(await loadPlugins(builtIn, { directory, names: [] }), nothingAdded)
  t.strictSame(defineConfig({ plugins: ['./board.mjs'] }), { plugins: ['./board.mjs'] })
  file('otep.config.mjs', "import { plugin } from './board.mjs'\nexport default { plugins: ['otep-repair', plugin] }\n")
  t.strictSame(await loadPlugins(builtIn, { directory, names: ['./board.mjs'] }), added, 'those of the file come first')
})

t.test('given what cannot be loaded, then the error names the plug-in and the reason', async (t) => {
  const { directory, file } = workshop(t)
  file('broken.mjs', 'export const plugin = {{\n')
  file('throws.mjs', "throw new Error('no licence')\n")
  file('other.mjs', 'export default {}\n')
  file('taken.mjs', "import { plugin as board } from './board.mjs'\nexport const plugin = { ...board }\n")
  const refused = (names: readonly string[]) => loadPlugins(builtIn, { directory, names }).then(String, String)
  t.equal(
    await refused(['./nowhere.mjs']),
    `Error: The plug-in ./nowhere.mjs cannot be used: there is no file ${join(directory, 'nowhere.mjs')}.`,
  )
  t.match(await refused(['no-such-package']), /The plug-in no-such-package cannot be used: Cannot find module/)
  t.match(await refused(['board.mjs']), /there is no such package; for the file write \.\/board\.mjs\.$/)
  t.match(await refused(['./broken.mjs']), /cannot be used: SyntaxError: /)
  t.match(await refused(['./throws.mjs']), /The plug-in \.\/throws\.mjs cannot be used: no licence\.$/)
  t.match(await refused(['./other.mjs']), /the module must export "plugin", made with definePlugin\.$/)
  t.match(await refused(['./board.mjs', './taken.mjs']), /\.\/taken\.mjs .* projections\[0\]\.name: there is another/)
  file('otep.config.js', 'export const config = {}\n')
  t.match(await refused([]), /The plug-in otep\.config\.js cannot be used: its default export must be/)
})

t.test('given a store from outside, when its scheme is in the address, then it is opened', async (t) => {
  const opened: string[] = []
  const kind = defineStore({
    scheme: 'shelf',
    open: (url, { clock }) => {
      opened.push(url)
      return createMemoryStore(clock)
    },
  })
  const address = storeFrom({ OTEP_STORE: 'shelf://ann:secret@host/a?b=c' })
  t.equal(nameOfStore(address), 'shelf://host/a')
  await (await openStore(address, {}, [kind])).close()
  t.strictSame(opened, ['shelf://ann:secret@host/a?b=c'])
  await t.rejects(openStore(address, {}, []), {
    message: /^OTEP_STORE must be (?!.*secret).*; no plug-in has a store for shelf:\.$/,
  })
  await t.rejects(openStore(address, {}, [{ ...kind, scheme: 'desk' }]), {
    message: /esdb:\/\/HOST:PORT, desk:\.\.\.; no/,
  })
  for (const OTEP_STORE of ['sqlite://host/a', 'esdb:a', 'x:a', 'data.db', 'C:\\data'])
    t.throws(() => storeFrom({ OTEP_STORE }), /OTEP_STORE must be/, OTEP_STORE)
})

t.test('given a plug-in on the command line or in the environment, then commands have its format', async (t) => {
  const { directory, file } = workshop(t)
  const otep = async (line: readonly string[], env = {}) => {
    const out: string[] = []
    const write = (text: string) => out.push(text) > 0
    const streams = { stdin: Readable.from(['']), stdout: { write }, stderr: { write } as never }
    return { code: await run(line, { env, ...streams }), out: out.join('') }
  }
  const path = join(directory, 'board.mjs')
  const journey = projectFile('docs', 'examples', 'happy-path.json')
  const projected = ['project', journey, '--format', 'board']
  t.match(await otep([...projected, '--plugin', path]), { code: 0, out: /"state": "DONE"/ })
  t.match(await otep(projected, { OTEP_PLUGINS: ` ${path}, ` }), { code: 0, out: /"state": "DONE"/ })
  t.match(await otep(['formats', '--plugin', path]), { code: 0, out: /board +Board 1 \(state, --option lamp=\.\.\.\)/ })
  t.match(await otep(projected), { code: 1, out: /board/ })
  const broken = file('empty.mjs', '')
  const refusal = {
    code: 2,
    out: `The plug-in ${broken} cannot be used: the module must export "plugin", made with definePlugin.\n`,
  }
  t.match(await otep(['formats', '--plugin', path, '--plugin', broken]), refusal)
  t.match(await otep(['serve', '--store', 'memory:', '--plugin', broken]), refusal)
})
