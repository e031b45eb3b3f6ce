// Takes the place of systemctl where no systemd runs: `units.js restart otep.service` starts the command of a unit as
// its user, with its settings and its secret. What systemd adds for protection is checked by systemd-analyze instead.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folders = ['/etc/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system']
const running = '/run/units'

/** A unit: the values of each of its entries. */
type Unit = ReadonlyMap<string, readonly string[]>

function unitNamed(name: string): Unit {
  const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (file === undefined) throw new Error(`There is no unit ${name}.`)
  const unit = new Map<string, string[]>()
  for (const [, key = '', value = ''] of readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
    unit.set(key, [...(unit.get(key) ?? []), value])
  return unit
}

/** The settings in a text of lines, or of words, that each say `NAME=value`. */
function settingsIn(text: string): Record<string, string> {
  const found = text.matchAll(/^\s*(\w+)="?(.*?)"?\s*$/gm)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]))
}

function environmentOf(name: string, unit: Unit): Record<string, string> {
  const files = (unit.get('EnvironmentFile') ?? []).map((path) => settingsIn(readFileSync(path, 'utf8')))
  const words = (unit.get('Environment') ?? []).flatMap((line) => line.split(' ')).map(settingsIn)
  const { PATH = '' } = process.env
  return Object.assign({ PATH, ...secretsOf(name, unit) }, ...words, ...files)
}

/** Copies the secrets of a unit to where its user, and nobody else, can read them. */
function secretsOf(name: string, unit: Unit): Record<string, string> {
  const [wanted] = unit.get('LoadCredential') ?? []
  if (wanted === undefined) return {}
  const [id = '', source = ''] = wanted.split(':')
  const CREDENTIALS_DIRECTORY = join(running, `${name}.secrets`)
  mkdirSync(CREDENTIALS_DIRECTORY, { recursive: true })
  cpSync(source, join(CREDENTIALS_DIRECTORY, id))
  spawnSync('chown', ['-R', userOf(unit), CREDENTIALS_DIRECTORY])
  return { CREDENTIALS_DIRECTORY }
}

function userOf(unit: Unit): string {
  return unit.get('User')?.[0] ?? 'root'
}

function stop(name: string): void {
  const file = join(running, name)
  if (!existsSync(file)) return
  spawnSync('sh', [
    '-c',
    'kill -- "-$1"; while kill -0 "-$1" 2>/dev/null; do sleep 0.1; done',
    'sh',
    readFileSync(file, 'utf8'),
  ])
  rmSync(file)
}

function start(name: string): void {
  const unit = unitNamed(name)
  const user = userOf(unit)
  const environment = environmentOf(name, unit)
  const [, home = '/'] =
    /^(?:[^:]*:){5}([^:]*)/.exec(spawnSync('getent', ['passwd', user], { encoding: 'utf8' }).stdout) ?? []
  const command = (unit.get('ExecStart')?.[0] ?? '')
    .replaceAll('$$', '\0')
    .replaceAll(/\$(\w+)/g, (_, variable: string) => environment[variable] ?? '')
    .replaceAll('\0', '$')
  const log = openSync(join('/var/log', `${basename(name)}.log`), 'a')
  // A port below 1024 is what AmbientCapabilities=CAP_NET_BIND_SERVICE would allow.
  const can =
    unit.get('AmbientCapabilities')?.[0] === 'CAP_NET_BIND_SERVICE'
      ? ['--ambient-caps=+net_bind_service', '--inh-caps=+net_bind_service']
      : []
  const words = ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...can, 'sh', '-c', `exec ${command}`]
  // Restart=on-failure, after RestartSec.
  const again = `until "$@"; do sleep ${unit.get('RestartSec')?.[0] ?? '1'}; done`
  const env = { ...environment, HOME: home }
  const child = spawn('sh', ['-c', again, 'sh', ...words], {
    env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  closeSync(log)
  mkdirSync(running, { recursive: true })
  writeFileSync(join(running, name), String(child.pid))
}

const [verb = '', ...names] = process.argv.slice(2)
if (verb === 'restart')
  for (const name of names) {
    stop(name)
    start(name)
  }
else if (verb === 'enable') for (const name of names) unitNamed(name)
else if (verb !== 'daemon-reload')
  throw new Error(`This stands for systemctl restart and enable alone, not for ${verb}.`)
