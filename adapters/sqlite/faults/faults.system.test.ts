import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createDeliveryRepository } from '../deliveries/index.ts'
import { delivery, reached } from '../deliveries/made.test.fixture.ts'
import { clock } from '../facts/events.test.fixture.ts'
import { createSqliteStore } from '../facts/index.ts'
import { faults, inject, replaceDriver, restoreDriver } from './driver.test.fixture.ts'
import { chosenBy } from './script.test.fixture.ts'
import { surviveAll } from './scripts.test.fixture.ts'

replaceDriver()

t.test('given work on a database, when a few of its driver calls fail, then nothing is lost or wrong', (t) =>
  surviveAll(t, chosenBy(32, 61)),
)

t.test('given a claim that fails at any of its calls, when it is repeated, then it has what is due', async (t) => {
  const [fault] = faults
  if (fault === undefined) throw new Error('There are no faults.')
  for (let from = 0, calls = 1; from < calls; from++) {
    const file = join(t.testdir(), 'webhooks.db')
    const repository = createDeliveryRepository({ file, clock })
    await repository.save([delivery('a'), delivery('b')], reached(1), [])
    inject({ file, from, count: 1, fault })
    await t.rejects(repository.claim('e1', 2_000, 1), { code: 'store_unavailable' })
    const { deliveries } = await repository.claim('e1', 2_000, 1)
    t.match(deliveries, [{ id: 'a' }])
    calls = restoreDriver() - from - 1
    await repository.close()
  }
})

t.test('given a file that another user owns, when it is opened, then the refusal says so', async (t) => {
  const directory = t.testdir()
  const file = join(directory, 'otep.db')
  await createSqliteStore({ file, clock }).close()
  chmodSync(directory, 0o755)
  chmodSync(file, 0o000)
  // Root may read every file; another user may not load this program, so it is loaded first.
  const program = `
    const { createSqliteStore } = await import(${JSON.stringify(new URL('../facts/index.js', import.meta.url).href)})
    createSqliteStore({ file: ${JSON.stringify(`${file}.other`)}, clock: Date.now })
    if (process.getuid() === 0) process.setuid(65534)
    createSqliteStore({ file: ${JSON.stringify(file)}, clock: Date.now })`
  const { NODE_OPTIONS: _, ...env } = process.env
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', env })
  t.match(stderr, /otep\.db cannot be opened: permission denied/)
})
