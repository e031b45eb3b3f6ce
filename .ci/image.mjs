// The steps of docs/deploy/Dockerfile on a machine without Docker: each stage is a directory, a COPY copies, a RUN runs
// there. Then the program of the image serves, is healthy, takes a journey and stops; and the parts are added up. Not shown:
// the base image itself, the user, the volume. With --built, the packages and the compiled files of this clone are taken in
// place of `npm ci` and of compiling everything. Ends with 1 where a step fails, or the image is larger than it may be.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { journey } from './journey.mjs'

/** Compressed size of node:24-bookworm-slim for linux/amd64, as docker-library/repo-info published it on 2026-07-30. */
const baseImage = { name: 'node:24-bookworm-slim', bytes: 80_293_370 }
const mostBytes = 110e6

const scratch = mkdtempSync(join(tmpdir(), 'otep-image-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** What each instruction does to the stages that were begun, of which the last is being built. */
const steps = {
  FROM(built, rest) {
    const [base, , name] = rest.split(/ +/)
    const directory = join(scratch, `stage-${built.length}`)
    mkdirSync(directory)
    built.push({ base, name, directory, workdir: '/', env: {} })
  },
  WORKDIR(built, path) {
    const stage = built.at(-1)
    stage.workdir = posix.resolve(stage.workdir, path)
    mkdirSync(join(stage.directory, stage.workdir), { recursive: true })
  },
  COPY(built, rest) {
    const words = rest.split(/ +/)
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
    const paths = words.filter((word) => !word.startsWith('--'))
    const target = paths.pop()
    const source = from === undefined ? context : built.find(({ name }) => name === from).directory
    for (const path of paths) copyInto(built.at(-1), join(source, path), target)
  },
  RUN(built, command) {
    assert.doesNotMatch(command, /(^|[\s=])\//, 'a RUN names no absolute path')
    const { directory, workdir, env } = built.at(-1)
    if (isBuilt && command.startsWith('npm ci ')) return takeBuilt(join(directory, workdir))
    console.log(`RUN ${command}`)
    const options = {
      cwd: join(directory, workdir),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    }
    execFileSync('sh', ['-c', command], options)
  },
  ENV(built, rest) {
    for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) built.at(-1).env[name] = value
  },
  LABEL() {},
  EXPOSE() {},
  USER: (built, user) => Object.assign(built.at(-1), { user }),
  VOLUME: (built, volume) => Object.assign(built.at(-1), { volume }),
  STOPSIGNAL: (built, signal) => Object.assign(built.at(-1), { signal }),
  HEALTHCHECK: (built, rest) =>
    Object.assign(built.at(-1), { health: JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) }),
  ENTRYPOINT: (built, words) => Object.assign(built.at(-1), { entrypoint: JSON.parse(words) }),
  CMD: (built, words) => Object.assign(built.at(-1), { command: JSON.parse(words) }),
}

const isBuilt = process.argv.includes('--built')
const root = fileURLToPath(new URL('..', import.meta.url))
const deploy = join(root, 'docs', 'deploy')
const context = contextOf(readFileSync(join(deploy, 'Dockerfile.dockerignore'), 'utf8'))
const stages = build(readFileSync(join(deploy, 'Dockerfile'), 'utf8'))
const image = stages.at(-1)
for (const { base } of stages) assert.equal(base, baseImage.name)
assert.match(
  baseImage.name,
  new RegExp(`^node:${process.versions.node.split('.')[0]}-`),
  'the steps run on the Node of the image',
)
assert.equal(image.user, 'node', 'the program does not run as root')
weigh()
await tryOut()

/** Takes what `npm ci` and a build have made here. Packages are only taken away from the copy, so it may share their files. */
function takeBuilt(directory) {
  // Another disk has no links to these files.
  execFileSync('sh', ['-c', 'cp -al "$0" "$1" 2>/dev/null || cp -a "$0" "$1"', join(root, 'node_modules'), directory])
  execFileSync('cp', ['-a', join(root, 'dist'), directory])
}

/** The files that are sent to the builder, in a directory of their own: those of the commit that are not ignored. */
function contextOf(ignore) {
  const rules = ignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const patterns = rules.map((rule) => ({
    isKept: rule.startsWith('!'),
    expression: expressionOf(rule.replace('!', '')),
  }))
  const isKept = (path) => patterns.findLast(({ expression }) => expression.test(path))?.isKept ?? true
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(isKept)
  const directory = join(scratch, 'context')
  for (const file of files.filter((name) => name !== '')) cpSync(join(root, file), join(directory, file))
  return directory
}

/** A pattern matches a path and everything below it. */
function expressionOf(pattern) {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(.*/)?'))}(/|$)`)
}

/** Builds each stage of a Dockerfile. An instruction that is not known here is an error, not skipped. */
function build(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, '')
    .split('\n')
  const built = []
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, instruction, rest] = /^([A-Z]+) +(.+)$/.exec(line) ?? []
    const step = steps[instruction]
    assert.ok(step, `this script does not know ${line}`)
    step(built, rest.trim())
  }
  return built
}

/** A directory is copied with what it holds, and a file into a target that is a directory keeps its name. */
function copyInto({ directory, workdir }, source, target) {
  const place = join(directory, posix.resolve(workdir, target))
  const isIn = target.endsWith('/') && !lstatSync(source).isDirectory()
  const destination = isIn ? join(place, posix.basename(source)) : place
  mkdirSync(dirname(destination), { recursive: true })
  cpSync(source, destination, { recursive: true, verbatimSymlinks: true })
}

/** Adds up what somebody downloads who has nothing yet. */
function weigh() {
  const app = join(image.directory, image.workdir)
  const packed = (...words) =>
    execFileSync('sh', ['-c', 'tar -c "$@" | gzip | wc -c', 'sh', '-C', app, ...words], { encoding: 'utf8' }).trim()
  const parts = {
    [baseImage.name]: baseImage.bytes,
    node_modules: Number(packed('node_modules')),
    program: Number(packed('--exclude=./node_modules', '.')),
  }
  const sum = Object.values(parts).reduce((one, other) => one + other)
  for (const [name, bytes] of Object.entries({ ...parts, 'the image': sum }))
    console.log(`${name}: ${(bytes / 1e6).toFixed(1)} MB compressed`)
  assert.ok(sum <= mostBytes, `the image is larger than ${mostBytes / 1e6} MB`)
}

/** Starts what the image starts, asks for its health, and stops it with the signal of the image. */
async function tryOut() {
  assert.equal(image.signal, 'SIGTERM')
  assert.equal(image.env.OTEP_DATA_DIR, image.volume)
  const directory = join(image.directory, image.workdir)
  const inside = (words) => (words[0] === 'node' ? [process.execPath, ...words.slice(1)] : words)
  const isHealthy = (env) => {
    const [program, ...words] = inside(image.health)
    execFileSync(program, words, { cwd: directory, env, stdio: ['ignore', 'inherit', 'ignore'] })
  }
  assert.throws(() => isHealthy({ ...process.env, PORT: '1' }), 'nothing is healthy where nothing listens')
  await journey({
    start: inside([...image.entrypoint, ...image.command]),
    cli: [join(directory, 'node_modules', '.bin', 'otep')],
    directory,
    data: join(image.directory, image.volume),
    env: { NODE_ENV: image.env.NODE_ENV },
    name: 'the program of the image',
    more: (url, env) => isHealthy({ ...env, PORT: new URL(url).port }),
  })
  console.log('the image: built, healthy, took a journey and stopped')
}
