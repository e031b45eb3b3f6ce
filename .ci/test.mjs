// Compiles what changed, and runs the tests of a tier, or the files that are named.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const usage = `usage: npm run test:quick | npm test | npm run test:ci | npm run test:nightly [-- OPTION...]
       npm run test:file -- FILE.test.ts...

The name of a file says in which run it is first; each run includes those before it.
  x.test.ts          quick    no child process, browser or kill
  x.system.test.ts   system   what \`npm test\` runs: child processes, a browser
  x.ci.test.ts       ci       what .ci/run runs
  x.nightly.test.ts  nightly  what .ci/nightly runs

  --no-build         the compiled files as they are
  other options      go to tap, such as --reporter=tap

OTEP_TEST_SEED=N     makes random tests choose the same as in another run with this number
`

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['docs', 'bench', 'conformance', 'adapters', 'engine', 'projections', 'profiles']
const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')
const tiers = ['quick', 'system', 'ci', 'nightly']

const words = process.argv.slice(2)
const isFile = (word) => /\.test\.ts$/.test(word)
const named = words.filter(isFile)
const tier = tiers.indexOf(words[0])
const options = words.slice(tier < 0 ? 0 : 1).filter((word) => !isFile(word) && word !== '--no-build')

if (words.includes('--help') || (tier < 0 && named.length === 0)) {
  process.stdout.write(usage)
  process.exit(words.includes('--help') ? 0 : 1)
}
if (!words.includes('--no-build')) run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b')
const files = named.length > 0 ? named.map(compiled) : [...slowFilesOf(tier), ...quickFiles()]
// Only these tests take the package as it is published.
if (!words.includes('--no-build') && files.some((path) => /\.(ci|nightly)\.test\./.test(path)))
  run(join(root, 'adapters', 'bundle.mjs'))
process.once('exit', removeDirectories)
const seeded = process.env.OTEP_TEST_SEED === undefined ? [] : [`--import=${new URL('seed.mjs', import.meta.url)}`]
// One file needs no runner around it.
if (files.length === 1) run(...seeded, '--enable-source-maps', ...files)
else {
  buildRunner()
  run(tap, ...seeded.map((option) => `--node-arg=${option}`), ...options, ...files)
}

/**
 * Runs a program of Node, and ends as it does where it fails. tap would remove the directory of a test before its
 * servers are stopped, so it leaves them here.
 */
function run(...args) {
  const env = { TAP_TIMEOUT: '900', TAP_SAVE_FIXTURE: '1', ...process.env }
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

/** Removes what `t.testdir` made in the tests of this run, and not what another run still uses. */
function removeDirectories() {
  const fixtures = join(root, '.tap', 'fixtures')
  const programs = files.map((file) => file.replaceAll(sep, '-'))
  for (const name of existsSync(fixtures) ? readdirSync(fixtures) : [])
    if (programs.some((program) => name.startsWith(program)))
      rmSync(join(fixtures, name), { recursive: true, force: true, maxRetries: 3 })
}

/** Builds tap without the plugins that package.json leaves out, once after an installation: the first run would have them. */
function buildRunner() {
  const built = join(root, 'node_modules', '@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js')
  if (readFileSync(built, 'utf8').includes('@tapjs/typescript')) run(tap, 'build')
}

/** The tests of a folder, by their paths. */
function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => isFile(path) && !path.includes('node_modules'))
}

function tierOf(path) {
  return tiers.indexOf(/\.(\w+)\.test\.ts$/.exec(path)?.[1] ?? 'quick')
}

/** The compiled tests of a tier and of those before it, but for the quick ones; those of the last tier first. */
function slowFilesOf(tier) {
  return folders
    .flatMap(testsIn)
    .filter((path) => tierOf(path) > 0 && tierOf(path) <= tier)
    .sort((one, other) => tierOf(other) - tierOf(one))
    .map(compiled)
}

/** Quick tests run in one process a folder: to load the engine takes longer than most of them. Answers those programs. */
function quickFiles() {
  mkdirSync(join(root, 'dist', 'quick'), { recursive: true })
  return folders.flatMap((folder) => {
    const quick = testsIn(folder).filter((path) => tierOf(path) === 0)
    const program = join('dist', 'quick', `${folder}.test.js`)
    writeFileSync(join(root, program), inOneProcess(quick))
    return quick.length > 0 ? [program] : []
  })
}

function inOneProcess(files) {
  return `import t from 'tap'
for (const file of ${JSON.stringify(files.sort())}) {
  const start = performance.now()
  await import('../../dist/' + file.replace(/ts$/, 'js'))
  await t.test(file, async (t) => t.pass('it came to its end'))
  t.comment(file + ' time=' + (performance.now() - start).toFixed() + 'ms')
}
`
}

function compiled(path) {
  return join('dist', relative(root, join(process.cwd(), path))).replace(/\.ts$/, '.js')
}
