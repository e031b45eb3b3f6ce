import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Test } from 'tap'
import { projectFile } from '../conformance/program/files.ts'
import { blocksOf, filesOf, holds } from './check/blocks.ts'
import { pages } from './pages.test.fixture.ts'

/** The pages whose readers begin in an empty directory, with the package instead of a clone. */
export const pluginPage = 'docs/how-to/write-a-plugin.md'
export const carrierPage = 'docs/tutorial/first-event.md'
export const shopPage = 'docs/tutorial/timeline-in-a-shop.md'
export const operatorPage = 'docs/tutorial/monitored-server.md'
export const packagePages: readonly string[] = [pluginPage, carrierPage, shopPage, operatorPage]

/** A directory outside of the clone, whose packages are out of reach there. */
export function emptyDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'otep-package-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Packs the package of a folder as it is built, and returns the path of the tarball. */
export function packed(folder: string, destination: string): string {
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination]
  const { code, output } = run(folder, 'npm', words)
  const tarball = readdirSync(destination).find((name) => name.endsWith('.tgz'))
  if (code !== 0 || tarball === undefined) throw new Error(`npm pack ended with ${code}: ${output}`)
  return join(destination, tarball)
}

/** The environment of a reader who has set nothing. */
function environment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_prefer_offline: 'true' }
  return { PATH, HOME, LC_ALL: 'C.UTF-8', npm_config_loglevel: 'error', ...quiet, ...settings }
}

/** Runs a program to its end, in the environment of a reader who has set nothing. */
export function run(cwd: string, program: string, words: readonly string[]) {
  const options = { cwd, env: environment({}), timeout: patience }
  const { status, stdout, stderr } = spawnSync(program, words, { ...options, encoding: 'utf8' })
  return { code: status, output: `${stdout}${stderr}` }
}

/** What takes longer, in milliseconds, waits for something that does not come. */
const patience = 300_000

/** Where a page is followed: what it calls otherwise than its reader, and what runs its script. */
interface Reader {
  readonly renamed: (text: string) => string
  readonly settings: NodeJS.ProcessEnv
  readonly program: readonly string[]
}

/** Follows a page in an empty directory with the tarball. What it has started runs until the test ends. */
export async function followPage(
  t: Test,
  path: string,
  tarball: string,
  directory: string = emptyDirectory(t),
): Promise<string> {
  const port = await freePort()
  await follow(t, path, tarball, directory, {
    renamed: (text) => text.replaceAll('localhost:3000', `127.0.0.1:${port}`),
    settings: { PORT: String(port), HOST: '127.0.0.1' },
    program: ['bash'],
  })
  return directory
}

async function follow(t: Test, path: string, tarball: string, directory: string, reader: Reader): Promise<void> {
  const { renamed, settings, program } = reader
  const page = pages.get(path) ?? ''
  const blocks = blocksOf(page)
  for (const [name, text] of filesOf(page)) writeFileSync(join(directory, name), renamed(text))
  const commands = blocks.map(({ text }, index) => `printf '\\n@@ ${index}\\n'\n${text}\n`).join('')
  const script = renamed(commands).replaceAll('otep-engine-0.1.0.tgz', basename(tarball))
  spawnSync('cp', [tarball, directory])
  writeFileSync(
    join(directory, 'page.sh'),
    `set -meuo pipefail\n${stop}\n${script}printf '\\n@@ end\\n'\nread -r _ || true\n`,
  )
  const began = performance.now()
  const { code, output } = await toTheEnd(t, directory, [...program, 'page.sh'], settings)
  t.comment(`${path}: ${Math.round((performance.now() - began) / 1000)} s, ${blocks.length} blocks of commands`)
  t.equal(code, undefined, 'the page runs to its end', { output })
  const outputs = output.split(/^@@ \w+\n/m).slice(1)
  for (const [index, { line, expected = '' }] of blocks.entries())
    t.ok(holds(outputs[index] ?? '', renamed(expected)), `the block at line ${line} gives what is expected`, {
      output: outputs[index],
      expected,
    })
}

/** npx does not hand a signal on to the server that it has started, so all of a job are ended. */
const stop = "trap 'for job in $(jobs -p); do kill -- -$job 2> /dev/null || true; done; wait' EXIT"

/** Runs a script until it says that it is at its end, or ends before that, with a code. It goes on until the test ends. */
async function toTheEnd(
  t: Test,
  cwd: string,
  [program = '', ...words]: readonly string[],
  settings: NodeJS.ProcessEnv,
) {
  const child = spawn(program, words, { cwd, env: environment(settings) })
  const ended = once(child, 'close') as Promise<[number | null]>
  t.teardown(async () => {
    child.stdin.end()
    await ended
  })
  let output = ''
  const hanging = setTimeout(() => child.kill('SIGKILL'), patience)
  const code = await new Promise<number | null | undefined>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part
        if (/^@@ end$/m.test(output)) resolve(undefined)
      })
    ended.then(([code]) => resolve(code))
  })
  clearTimeout(hanging)
  return { code, output }
}

/** A port of the loopback that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

/** Where a program is; undefined if it is not on the path. */
function placeOf(program: string): string | undefined {
  return process.env.PATH?.split(':')
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))
}

/** Why the page for operators cannot be followed here; false if it can. */
export function whyNoMachine(): string | false {
  const missing = ['unshare', 'setpriv', 'ip', 'caddy', 'prometheus'].find((program) => placeOf(program) === undefined)
  if (missing !== undefined) return `there is no ${missing}`
  if (!process.execPath.startsWith('/usr/')) return 'other users cannot run this Node'
  const { status } = spawnSync('unshare', [...apart, 'bash', '-c', layers(['etc'])])
  return status !== 0 && 'only root can try it, where the file system has layers'
}

/** Apart from the machine: its mounts, its network and its processes, which end with the first one. */
const apart = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private']

/** Commands that lay a layer over folders: what is written there is seen by nobody else, and gone afterwards. */
function layers(folders: readonly string[]): string {
  const over = folders.map(
    (name) =>
      `mkdir -p /run/${name}/new /run/${name}/work && mount -t overlay overlay -o lowerdir=/${name},upperdir=/run/${name}/new,workdir=/run/${name}/work /${name}`,
  )
  return ['mount -t tmpfs tmpfs /run', ...over].join(' && ')
}

/** The stand-in for apt-get: the packages that it would get are unpacked below a folder, and only their users are missing. */
const packages = (folder: string) => `[ "$*" = 'install --yes nodejs npm caddy prometheus' ] || exit 1
for name in caddy prometheus; do
  install -m 0755 '${folder}'/usr/bin/$name /usr/bin/
  install -m 0644 '${folder}'/lib/systemd/system/$name.service /usr/lib/systemd/system/
  cp -r '${folder}'/etc/$name '${folder}'/etc/default/$name /etc/ 2>/dev/null || true
  id $name >/dev/null 2>&1 || useradd --system --home-dir /var/lib/$name $name
  install -d -o $name -g $name /var/lib/$name
done
cp '${folder}'/etc/default/prometheus /etc/default/`

/**
 * Follows the page for operators on something like a new machine: with all ports free and no network, with the name `localhost`,
 * for which Caddy makes a certificate itself, and with the real programs and services; `units.ts` takes the place of systemd.
 */
export async function followOnMachine(t: Test, path: string, tarball: string): Promise<void> {
  const standIns = emptyDirectory(t)
  const folder = join(dirname(placeOf('caddy') ?? ''), '..', '..')
  const scripts = {
    sudo: 'exec "$@"',
    'apt-get': packages(folder),
    npm: `[ "$*" != 'install --global node@24' ] || exit 0\nexec '${join(dirname(process.execPath), 'npm')}' "$@"`,
    systemctl: `exec '${process.execPath}' '${projectFile('dist', 'docs', 'check', 'units.js')}' "$@"`,
  }
  for (const [name, text] of Object.entries(scripts))
    writeFileSync(join(standIns, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const machine = `${layers(['etc', 'usr', 'opt', 'var'])} && ip link set lo up && exec bash "$1"`
  const authority = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
  await follow(t, path, tarball, emptyDirectory(t), {
    renamed: (text) => text.replaceAll('tracking.example', 'localhost'),
    settings: {
      ...{ PATH: `${standIns}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin` },
      ...{ npm_config_offline: 'true', CURL_CA_BUNDLE: authority },
    },
    program: ['unshare', ...apart, 'bash', '-c', machine, 'bash'],
  })
}
