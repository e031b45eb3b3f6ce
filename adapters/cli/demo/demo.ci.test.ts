import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { program } from '../../../conformance/program/files.ts'

t.test(
  'given a person who starts a demo in an empty directory, then its links lead to pages, and the world stays there alone',
  async (t) => {
    const temporary = mkdtempSync(join(tmpdir(), 'otep-test-'))
    const directory = join(temporary, 'world')
    const child = spawn(process.execPath, [program, 'demo', '--port', '0', '--data-dir', directory, '--seed', '2'], {
      env: { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(child, 'exit')
    t.teardown(() => {
      child.kill('SIGKILL')
      rmSync(temporary, { recursive: true, force: true })
    })
    const links: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      links.push(...(/http:\S+\/\S+$/.exec(line) ?? []))
      if (line.startsWith('Stop')) break
    }
    const paths = links.map((link) => new URL(link).pathname)
    for (const path of ['/docs', '/today', '/orders', '/webhooks', '/keys']) t.ok(paths.includes(path), path)
    t.equal(paths.filter((path) => path.startsWith('/track/')).length, 4)
    for (const link of links) t.equal((await fetch(link)).status, 200, link)
    child.kill('SIGINT')
    t.same(await ended, [0, null])
    t.ok(existsSync(join(directory, 'otep.db')))
    for (const words of [['--data-dir', directory], ['--speed', '0'], ['--seed', 'x'], ['here']]) {
      const refused = spawn(process.execPath, [program, 'demo', ...words], { stdio: 'ignore' })
      t.equal((await once(refused, 'exit'))[0], 2, words.join(' '))
    }
  },
)
