import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { projectFile } from './program/files.ts'

const passing = "import t from 'tap'\nt.test('given a, when b, then c', async (t) => t.pass('it holds'))\n"
const failing = passing.replace("t.pass('it holds')", "t.ok(false, 'it holds')")
/** Fails at its first run, and never again. */
const chance = `import { existsSync, writeFileSync } from 'node:fs'
import t from 'tap'
const isFirst = !existsSync('ran')
writeFileSync('ran', '')
t.test('given a, when b, then c', async (t) => t.notOk(isFirst, 'it holds'))
`

/** A project with the runner of this one and with these compiled tests, which runs a tier. */
function project(t: Test, tests: Readonly<Record<string, string>>) {
  const root = t.testdir({ 'package.json': '{ "type": "module" }' })
  cpSync(projectFile('.ci'), join(root, '.ci'), { recursive: true })
  symlinkSync(projectFile('node_modules'), join(root, 'node_modules'))
  for (const folder of ['docs', 'bench', 'conformance', 'adapters', 'engine', 'projections', 'profiles'])
    mkdirSync(join(root, folder))
  for (const [path, text] of Object.entries(tests)) {
    mkdirSync(dirname(join(root, 'dist', path)), { recursive: true })
    writeFileSync(join(root, path), '')
    writeFileSync(join(root, 'dist', path.replace(/ts$/, 'js')), text)
  }
  const log = join(root, 'flaky.log')
  writeFileSync(log, '')
  const env = { ...process.env, OTEP_FLAKY_LOG: log, OTEP_RECORD_TIMES: '' }
  const node = (...words: readonly string[]) => spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8', env })
  return {
    run: (tier: string) => node('.ci/test.mjs', tier, '--no-build'),
    check: () => node('.ci/flaky.mjs'),
    /** Lets tests of chance fail again. */
    renew: () => rmSync(join(root, 'ran')),
    logged: () => readFileSync(log, 'utf8'),
  }
}

const flaky = (file: string) => `FLAKY ${file}: given a, when b, then c > it holds\n`

for (const file of ['engine/a.test.ts', 'engine/a.system.test.ts'])
  t.test(`given ${file}, which fails once, when the tests run, then they pass and say so`, async (t) => {
    const { run, logged } = project(t, { [file]: chance, 'engine/b.test.ts': passing, 'engine/c.test.ts': passing })
    const { status, stdout } = run('system')
    t.match(stdout, flaky(file))
    t.match(stdout, /^tests: \d+ passed, 0 failed, 0 skipped\n$/m)
    t.equal(status, 0, stdout)
    t.ok(logged().endsWith(flaky(file)), logged())
  })

t.test('given a file that fails again by itself, when the tests run, then they fail', async (t) => {
  const { run, logged } = project(t, {
    'engine/a.test.ts': failing,
    'engine/b.test.ts': passing,
    'adapters/c.test.ts': passing,
  })
  const { status, stdout } = run('quick')
  t.match(stdout, 'FAILED engine/a.test.ts: given a, when b, then c > it holds')
  t.match(stdout, /^tests: \d+ passed, [1-9]\d* failed/m)
  t.equal(status, 1)
  t.equal(logged(), '')
})

t.test('given a process that ends before its last tests, when they run, then those have failed', async (t) => {
  const { run } = project(t, {
    'engine/a.test.ts': `${passing}process.exit(0)\n`,
    'engine/b.test.ts': failing,
    'adapters/c.test.ts': passing,
  })
  const { status, stdout } = run('quick')
  t.match(stdout, 'FAILED engine/b.test.ts')
  t.equal(status, 1)
})

t.test('given a file that failed by chance twice, when the log is checked, then it has to be mended', async (t) => {
  const { run, check, renew } = project(t, { 'engine/a.test.ts': chance, 'adapters/c.test.ts': passing })
  run('quick')
  t.equal(check().status, 0)
  renew()
  run('quick')
  const { status, stdout } = check()
  t.equal(status, 1)
  t.match(stdout, 'engine/a.test.ts failed by chance more than once')
})

t.test('given tests, when they have run, then the CPU seconds of each file stand beside the budget', async (t) => {
  const { run } = project(t, {
    'engine/a.test.ts': passing,
    'engine/b.system.test.ts': passing,
    'adapters/c.test.ts': passing,
  })
  const { stdout } = run('system')
  for (const file of ['engine/a.test.ts', 'engine/b.system.test.ts', 'adapters/c.test.ts'])
    t.match(stdout, new RegExp(`^ +\\d+\\.\\d  ${file}$`, 'm'))
  t.match(stdout, /^ +\d+\.\d {2}in all; the budget is 600$/m)
})
