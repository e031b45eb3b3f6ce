import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectFile } from '../../conformance/program/files.ts'

t.test('given many processes, when all make the secret at once, then all have the same', async (t) => {
  const directory = t.testdir({})
  const program = projectFile('dist', 'adapters', 'node', 'secret.js')
  const file = join(directory, 'secret.key')
  const script = `
    const { secretIn } = await import(process.argv[1])
    process.stdout.write('ready')
    process.stdin.once('data', () => {
      process.stdout.write(Buffer.from(secretIn(process.argv[2]).make()).toString('hex'))
      process.exitCode = 0
      process.stdin.destroy()
    })`
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script, program, file]),
  )
  await Promise.all(children.map((child) => once(child.stdout, 'data')))
  const found = children.map(async (child) => {
    const [text] = (await once(child.stdout, 'data')) as [Buffer]
    await once(child, 'exit')
    return String(text)
  })
  for (const child of children) child.stdin.write('go')
  const secrets = new Set(await Promise.all(found))
  t.equal(secrets.size, 1)
  t.same([...secrets], [Buffer.from(readFileSync(file, 'utf8'), 'base64').toString('hex')])
})
