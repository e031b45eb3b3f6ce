// The road of a user without a clone: packs the project, installs the tarball into an empty directory, and there serves,
// pushes, reads and measures. With --clone, then the road of a clone without the tools of development. Ends with 1 where one
// fails.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { journey, since } from './journey.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'otep-tarball-'))
// No script of a package runs when it is installed, and none is needed.
const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

const home = join(scratch, 'installed')
install()
const otep = join(home, 'node_modules', '.bin', 'otep')
weigh()
for (const path of ['deploy/systemd/install', 'deploy/prometheus/alerts.yml', 'examples/happy-path.json'])
  assert.ok(existsSync(join(home, 'node_modules', 'otep-engine', 'docs', path)), `${path} is in the package`)
assert.match(run(home, otep, '--help'), /^Usage: otep/m)
console.log(`otep --help: ${times(() => run(home, otep, '--help'))} (goal 150 ms)`)
await journey({ start: [otep, 'serve'], cli: [otep], directory: home, data: join(home, 'data'), name: 'otep serve' })
assert.match(run(home, otep, 'bench', '--seconds', '1'), /epcis/)
console.log('otep bench: ran')
if (process.argv.includes('--clone')) await withoutTools()

/** Packs, and installs what was packed. */
function install() {
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
  run(root, 'npm', 'pack', '--silent', '--pack-destination', scratch)
  const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'))
  run(home, 'npm', 'install', ...quiet, join(scratch, tarball))
}

/** Tells how many packages came, and how large they are. */
function weigh() {
  const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'))
  const all = Object.keys(packages).filter((path) => path !== '' && existsSync(join(home, path)))
  const bytes = readdirSync(join(home, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0)
  assert.ok(!all.some((path) => /(^|\/)node_modules\/typescript$/.test(path)), 'no compiler is installed')
  console.log(`installed: ${all.length} packages (goal 75), ${(bytes / 1e6).toFixed(1)} MB (goal 90)`)
}

/** A clone that was installed with --omit=dev says what to do without `dist`, and starts with it. */
async function withoutTools() {
  const clone = join(scratch, 'clone')
  run(scratch, 'git', 'clone', '--quiet', '--depth=1', `file://${root}`, clone)
  run(clone, 'npm', 'ci', '--omit=dev', ...quiet)
  const start = performance.now()
  const { status, stderr } = spawnSync('npm', ['start', '--silent'], { cwd: clone, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(
    stderr.replaceAll(/^npm warn.*\n/gm, ''),
    /^otep is not built here: run npm ci && npm run build, and then npm start\.\n$/,
  )
  console.log(`npm start without dist: refused after ${since(start)} (goal 1 s)`)
  cpSync(join(home, 'node_modules', 'otep-engine', 'dist'), join(clone, 'dist'), { recursive: true })
  await journey({ start: ['npm', 'start', '--silent'], cli: [otep], directory: clone, data: join(clone, 'data') })
}

function run(cwd, program, ...args) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The median of five. */
function times(work) {
  const taken = Array.from({ length: 5 }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return `${Math.round(taken.sort((one, other) => one - other)[2])} ms`
}
