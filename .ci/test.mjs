// Compiles what changed, and runs the tests of a tier, or the files that are named.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
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
`

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['engine', 'profiles', 'projections', 'adapters', 'conformance', 'docs', 'bench']
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
const files = (named.length > 0 ? named : testsOf(tier)).map(compiled)
// One file needs no runner around it.
if (files.length === 1) run('--enable-source-maps', ...files)
else run(join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs'), ...options, ...files)

/** Runs a program of Node, and ends as it does where it fails. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** The tests of a tier and of those before it; the last tier, whose files take longest, first. */
function testsOf(tier) {
  const all = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
  )
  const tierOf = (path) => tiers.indexOf(/\.(\w+)\.test\.ts$/.exec(path)?.[1] ?? 'quick')
  return all
    .filter((path) => isFile(path) && !path.includes('node_modules') && tierOf(path) <= tier)
    .sort((one, other) => tierOf(other) - tierOf(one))
}

function compiled(path) {
  return join('dist', relative(root, join(process.cwd(), path))).replace(/\.ts$/, '.js')
}
