import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { projectFile, projectFolder } from '../conformance/program/files.ts'
import { startServer } from '../conformance/program/server.ts'
import { blocksOf, filesOf, holds } from './check/blocks.ts'
import { stumblingWords } from './check/plain-words.ts'
import { pages } from './pages.test.fixture.ts'
import { firstPages, missing, runPages } from './run.test.fixture.ts'

/** The page whose reader begins in an empty directory, with the package instead of a clone. */
const pluginPage = 'docs/how-to/write-a-plugin.md'

t.test('pages are in plain English, also those that are made of messages and descriptions', async (t) => {
  // The texts of the report on benchmarks are checked where they come from: only a run writes it again.
  const texts = readdirSync(projectFile('bench', 'report', 'texts')).map((name) => `bench/report/texts/${name}`)
  const others = [...pages.keys()].filter((path) => path !== 'docs/reference/benchmarks.md')
  for (const path of [...others, ...texts])
    t.same(await stumblingWords(readFileSync(projectFile(path), 'utf8')), [], path)
  t.same(await stumblingWords('Words\nare told, `anew`.\n\n- It stands on a port of its own.'), [
    'line 2: "are told": write is notified, gets, or is reported',
    'line 4: "stands": write is, is listed, or has its place',
    'line 4: "of its own": write its own, or separate, before the noun',
  ])
})

t.test('every word of the pages that were written by hand is in a dictionary or in the list of names', (t) => {
  const byHand = [...pages.keys(), 'CHANGELOG.md'].filter((path) => !path.startsWith('docs/reference/'))
  const words = ['lint', '--no-progress', '--no-summary', '--config', 'docs/check/cspell.json', ...byHand]
  const { status, stdout } = spawnSync('npx', ['cspell', ...words], { cwd: projectFolder, encoding: 'utf8' })
  t.equal(status, 0, 'else mend the word, or add a name to docs/check/cspell.json', { stdout })
  t.end()
})

runPages((path) => !firstPages.includes(path) && path !== pluginPage)

t.test(
  'with the package as it is published',
  { skip: missing !== undefined && `there is no ${missing}` },
  async (t) => {
    const tarball = packed(projectFolder, emptyDirectory(t))

    await t.test(
      'given an empty directory, when the page on plug-ins is followed, then it does what it says',
      async (t) => {
        const page = pages.get(pluginPage) ?? ''
        const blocks = blocksOf(page)
        const directory = emptyDirectory(t)
        for (const [name, text] of filesOf(page)) writeFileSync(join(directory, name), text)
        const port = await freePort()
        const script = blocks
          .map(({ text }, index) => `printf '@@ ${index}\\n'\n${text}\n`)
          .join('')
          .replace('npm install otep-engine', `npm install '${tarball}'`)
          .replaceAll('localhost:3000', `127.0.0.1:${port}`)
        // npx does not hand a signal on to the server that it has started, so all of a job are ended.
        const stop = "trap 'for job in $(jobs -p); do kill -- -$job 2> /dev/null || true; done; wait' EXIT"
        writeFileSync(join(directory, 'page.sh'), `set -meuo pipefail\n${stop}\n${script}`)
        const { code, output } = run(directory, 'bash', ['page.sh'], { PORT: String(port), HOST: '127.0.0.1' })
        t.equal(code, 0, 'the page runs to its end', { output })
        const outputs = output.split(/^@@ \d+\n/m).slice(1)
        for (const [index, { line, expected = '' }] of blocks.entries())
          t.ok(holds(outputs[index] ?? '', expected), `the block at line ${line} gives what is expected`, {
            output,
            expected,
          })
      },
    )

    await t.test(
      'given the example, when it is built, tested, packed and installed, then a server has it',
      async (t) => {
        const [example, home] = [emptyDirectory(t), emptyDirectory(t)]
        writeFileSync(join(home, 'package.json'), '{ "private": true }')
        cpSync(projectFile('docs', 'examples', 'plugin'), example, { recursive: true })
        const npm = (where: string, ...words: readonly string[]) => {
          const { code, output } = run(where, 'npm', words)
          t.equal(code, 0, `npm ${words[0]}`, { output })
        }
        npm(example, 'install', '--no-save', tarball)
        npm(example, 'run', 'build')
        npm(example, 'test')
        npm(home, 'install', tarball, packed(example, emptyDirectory(t)))
        const cli = join(home, 'node_modules', 'otep-engine', 'dist', 'adapters', 'cli', 'main.js')
        const plugin = join(home, 'node_modules', 'otep-plugin-example', 'dist', 'index.js')
        const server = await startServer(cli, join(home, 'data'), [], ['--plugin', plugin])
        const text = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text()
        t.match(await text('/api/v1/otep/formats'), /"format":"board"/)
        t.match(await text('/api/otep-guide/codebook.json'), /The device was handed back\./)
        t.equal(await server.stop(), 0)
        const formats = run(home, process.execPath, [cli, 'formats', '--plugin', 'otep-plugin-example'])
        t.match(formats, { code: 0, output: /board +Board 1\.0 \(state\)/ }, 'by the name of the package')
      },
    )
  },
)

/** A directory outside of the clone, whose packages are out of reach there. */
function emptyDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'otep-plugin-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Packs the package of a folder as it is built, and returns the path of the tarball. */
function packed(folder: string, destination: string): string {
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination]
  const { code, output } = run(folder, 'npm', words)
  const tarball = readdirSync(destination).find((name) => name.endsWith('.tgz'))
  if (code !== 0 || tarball === undefined) throw new Error(`npm pack ended with ${code}: ${output}`)
  return join(destination, tarball)
}

/**
 * Runs a program in the environment of a reader who has set nothing: the test runner loads itself into child processes by
 * NODE_OPTIONS, and then the compiler cannot be loaded.
 */
function run(cwd: string, program: string, words: readonly string[], settings: NodeJS.ProcessEnv = {}) {
  const { PATH = '', HOME = '' } = process.env
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_prefer_offline: 'true' }
  const env = { PATH, HOME, LC_ALL: 'C.UTF-8', npm_config_loglevel: 'error', ...quiet, ...settings }
  const own = ['-u', 'NODE_OPTIONS', program, ...words]
  const { status, stdout, stderr } = spawnSync('env', own, { cwd, env, encoding: 'utf8', timeout: 300_000 })
  return { code: status, output: `${stdout}${stderr}` }
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
