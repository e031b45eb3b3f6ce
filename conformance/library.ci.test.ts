import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { timelineOf } from '../adapters/library/timeline.ts'
import { browse, listening, skip } from '../adapters/pages/browser.test.fixture.ts'
import { filesOf } from '../docs/check/blocks.ts'
import { projections } from '../projections/index.ts'
import { projectFile, projectFolder } from './program/files.ts'

/** The most bytes, minified and compressed, that the timeline part may take. */
const timelineLimit = 29_000

const formatNames = projections.map(({ name }) => name)
const portable = ['otep-engine', 'otep-engine/timeline', 'otep-engine/messages', 'otep-engine/profiles'].concat(
  formatNames.map((name) => `otep-engine/projections/${name}`),
)

const manifest: { readonly dependencies: object } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))

/** The page with the programs of a user. */
const howTo = readFileSync(projectFile('docs/how-to/use-the-library.md'), 'utf8')
const programs = filesOf(howTo)

/** A parcel's journey, as a carrier sends it. */
const given = JSON.parse(readFileSync(projectFile('docs/examples/happy-path.json'), 'utf8'))

/** Shows a timeline and its document in every format. */
const page = `
  import { statusOf, timelineFrom, validate } from 'otep-engine/timeline'
  ${formatNames.map((name) => `import { ${name} } from 'otep-engine/projections/${name}'`).join('\n')}
  const given = await (await fetch('/document.json')).json()
  const { timeline } = timelineFrom(given)
  const show = (id, text) => document.body.append(Object.assign(document.createElement('pre'), { id, textContent: text }))
  show('status', statusOf(timeline).code + ' ' + validate(given).level)
  for (const { status_code, occurred_at } of timeline.events) show(status_code, occurred_at)
  const target = { baseUrl: 'https://otep.example', options: {} }
  for (const format of [${formatNames.join(', ')}]) show('format-' + format.name, format.write(timeline, target))
`

t.test('given the packed package', async (t) => {
  const consumer = installed(t)

  await t.test('then its portable entries need nothing of Node, no eval and no code from text', async (t) => {
    for (const entry of portable) {
      const { text, inputs } = await bundled(consumer, `export * from '${entry}'`)
      t.notMatch(text, /\bnew Function\b|\beval\(|\bBuffer\b|\bprocess\.|["']node:/, entry)
      t.strictSame(
        inputs.filter((path) => /hash\/node\.js$|domains\/(?!tracking\/)/.test(path)),
        [],
        `${entry} takes nothing of the rest of the engine`,
      )
    }
  })

  await t.test(
    'then the programs of the how-to compile strictly without types of Node, and do what it says',
    async (t) => {
      for (const [name, text] of programs) writeFileSync(join(consumer, name), text)
      compile(consumer, 'dom', ['status.ts', 'page.ts'])
      t.match(howTo, run(consumer, 'node', 'status.js'))
      for (const name of Object.keys(manifest.dependencies)) link(consumer, name)
      link(consumer, '@types/node')
      compile(consumer, 'es2023', ['server.ts'])
      t.match(howTo, run(consumer, 'node', 'server.js'))
    },
  )

  await t.test('then the inside cannot be imported', async (t) => {
    const inside = ['dist/engine/index.js', 'projections', 'projections/shared/template', 'adapters/library/read.ts']
    for (const path of inside) {
      const script = `import('otep-engine/${path}').catch(({ code }) => console.log(code))`
      t.equal(run(consumer, 'node', '--input-type=module', '--eval', script), 'ERR_PACKAGE_PATH_NOT_EXPORTED\n', path)
    }
  })

  await t.test(`then its timeline part has at most ${timelineLimit} bytes`, async (t) => {
    const { text } = await bundled(consumer, `export * from 'otep-engine/timeline'`)
    const size = gzipSync(text).length
    t.comment(`${size} bytes`)
    t.ok(size <= timelineLimit, `${size} bytes`)
  })

  await t.test('then a browser shows the page of the how-to', { skip }, async (t) => {
    const { text } = await bundled(consumer, programs.get('page.ts') ?? '')
    const url = await listening(t, site(text, given))
    const { page: shown, wrong } = await browse(t)
    await shown.goto(url)
    await shown.locator('#epcis').waitFor()
    t.equal(await shown.locator('#status').textContent(), 'delivered')
    t.match(await shown.locator('#epcis').textContent(), /"epcisBody"/)
    t.strictSame(wrong, [])
  })

  await t.test('then a browser shows a timeline and its documents as Node makes them', { skip }, async (t) => {
    const { text } = await bundled(consumer, page)
    const url = await listening(t, site(text, given))
    const { page: shown, wrong } = await browse(t)
    await shown.goto(url)
    await shown.locator(`#format-${formatNames.at(-1)}`).waitFor()
    t.equal(await shown.locator('#status').textContent(), 'delivered 1')
    const timeline = timelineOf(given)
    for (const { status_code, occurred_at } of timeline.events)
      t.equal(await shown.locator(`#${status_code}`).first().textContent(), occurred_at)
    for (const { name, write } of projections) {
      const document = await shown.locator(`#format-${name}`).textContent()
      t.equal(document, write(timeline, { baseUrl: 'https://otep.example', options: {} }), name)
    }
    t.strictSame(wrong, [], 'also under a content security policy without unsafe-eval')
  })
})

/** An empty project into which the packed package was put, with only the packages that its portable part needs. */
function installed(t: Test): string {
  // Outside of this project, where none of its packages are found.
  const consumer = mkdtempSync(join(tmpdir(), 'otep-library-'))
  t.teardown(() => rmSync(consumer, { recursive: true }))
  run(projectFolder, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', consumer)
  const tarball = readdirSync(consumer).find((name) => name.endsWith('.tgz')) ?? ''
  const home = join(consumer, 'node_modules', 'otep-engine')
  mkdirSync(home, { recursive: true })
  run(home, 'tar', '-xzf', join(consumer, tarball), '--strip-components=1')
  for (const name of ['valibot', '@noble/hashes']) link(consumer, name)
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }')
  return consumer
}

/** Makes a package that is installed here a package of the consumer. */
function link(consumer: string, name: string): void {
  const place = join(consumer, 'node_modules', name)
  mkdirSync(dirname(place), { recursive: true })
  if (!existsSync(place)) symlinkSync(projectFile('node_modules', name), place)
}

/** Compiles programs as strictly as the compiler can, the types of the package included. */
function compile(consumer: string, lib: string, files: readonly string[]): void {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', lib], types: lib === 'dom' ? [] : ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  }
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  run(consumer, 'node', projectFile('node_modules/typescript/bin/tsc'))
}

/** A program as one file for any platform, and the paths of what is in it. */
async function bundled(consumer: string, program: string): Promise<{ text: string; inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: consumer, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  return { text: outputFiles[0]?.text ?? '', inputs: inputs.map(([path]) => path) }
}

/** A site of one page with one script, which may make no code from text. */
function site(script: string, given: object): (request: Request) => Response {
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:"
  return ({ url }) => {
    const { pathname } = new URL(url)
    if (pathname === '/document.json') return Response.json(given)
    if (pathname.startsWith('/api/')) return Response.json({ result: true, data: given })
    if (pathname === '/page.js') return new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
    const html = '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'
    return new Response(html, { headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': policy } })
  }
}

function run(directory: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: directory, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}${stdout}`)
  return stdout
}
