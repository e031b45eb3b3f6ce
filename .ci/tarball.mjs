// The road of a user without a clone: packs the project, installs the tarball into an empty directory, and there serves,
// pushes, reads and measures. Then the road of a clone without the tools of development. Ends with 1 where one fails.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
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
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'otep-tarball-'))
// No script of a package runs when it is installed, and none is needed.
const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

const home = join(scratch, 'installed')
install()
const otep = join(home, 'node_modules', '.bin', 'otep')
weigh()
assert.match(run(home, otep, '--help'), /^Usage: otep/m)
console.log(`otep --help: ${times(() => run(home, otep, '--help'))} (goal 150 ms)`)
await journey([otep, 'serve'], home)
assert.match(run(home, otep, 'bench', '--seconds', '1'), /epcis/)
console.log('otep bench: ran')
await withoutTools()

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

/** Serves from a directory, adds a provider, pushes a parcel's journey and reads it as a page and in a format. */
async function journey([program, ...words], directory, cli = otep) {
  const data = join(directory, 'data')
  const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', OTEP_DATA_DIR: data, OTEP_LOG_LEVEL: 'error' }
  const start = performance.now()
  const server = spawn(program, words, { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  try {
    const url = await addressOf(server)
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    console.log(
      `${[program, ...words].join(' ').replace(scratch, '')}: first answer after ${since(start)} (goal 600 ms for otep serve)`,
    )
    if (words[0] === 'serve') tellMemory(server.pid)
    const key = run(directory, cli, 'provider', 'add', 'demo', '--all-businesses', '--data-dir', data).trim()
    const body = readFileSync(join(root, 'docs', 'examples', 'happy-path.json'), 'utf8')
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const pushed = await fetch(`${url}/api/v1/otep/ingest`, { method: 'POST', headers, body })
    assert.equal(pushed.status, 200, await pushed.text())
    for (const [path, what] of [
      ['/api/v1/otep/trackings/SR260610041', /"current_status":"delivered"/],
      ['/api/v1/otep/trackings/SR260610041?format=epcis', /"type":"EPCISQueryDocument"/],
      ['/track/SR260610041', /<html/],
      ['/openapi.json', /"openapi":"3\.1/],
    ])
      assert.ok(what.test(await (await fetch(url + path)).text()), `${path} has no ${what}`)
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    process.kill(-server.pid, 'SIGTERM')
    await ended
  }
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
  await journey(['npm', 'start', '--silent'], clone)
}

/** Tells what a process keeps in memory, where the system says so. */
function tellMemory(pid) {
  const status = `/proc/${pid}/status`
  const [, kibibytes] = existsSync(status) ? (/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? []) : []
  if (kibibytes !== undefined) console.log(`resident: ${Math.round(kibibytes / 1024)} MiB (goal 100)`)
}

async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const [url] = /http:\/\/\S+:\d+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The server ended before it listened.')
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

function since(start) {
  return `${Math.round(performance.now() - start)} ms`
}
