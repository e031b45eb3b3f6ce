import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { randomFrom } from './kill/random.ts'
import { createDisk } from './power/disk.test.fixture.ts'
import { canTrace, type Step, trace } from './power/trace.test.fixture.ts'

/** Power cuts; more in a nightly run. */
const cuts = Number(process.env.OTEP_POWER_CUTS ?? 60)

/** The timelines in a store, with the number of their events. */
async function timelinesIn(file: string): Promise<ReadonlyMap<string, number>> {
  const store = createSqliteStore({ file, clock: Date.now })
  const counts = new Map<string, number>()
  const names = new Set<string>()
  try {
    for await (const { id, stream } of store.readAll(undefined, { category: 'tracking' })) {
      if (names.has(id)) throw new Error(`${id} is recorded twice.`)
      names.add(id)
      const number = stream.slice(stream.lastIndexOf(':') + 1)
      counts.set(number, (counts.get(number) ?? 0) + 1)
    }
  } finally {
    await store.close()
  }
  return counts
}

/** The calls that were acknowledged before a step, with the number of their events. */
function acknowledgedIn(steps: readonly Step[]): readonly (readonly [string, number])[] {
  const said = steps.map((step) => (step.kind === 'say' ? step.text : '')).join('')
  return [...said.matchAll(/stored (\S+) (\d+)\n/g)].map(([, name = '', size]) => [name, Number(size)])
}

t.test(
  `given a process that acknowledges events, when the power is cut ${cuts} times, then each acknowledged one is there`,
  { skip: canTrace() ? false : 'processes cannot be traced here (strace)' },
  async (t) => {
    const seed = Number(process.env.OTEP_TEST_SEED ?? randomInt(2 ** 31))
    t.comment(`OTEP_TEST_SEED=${seed} chooses the same cuts again`)
    const random = randomFrom(seed)
    const directory = t.testdir({ data: {} })
    const dataDir = join(directory, 'data')
    const child = join(import.meta.dirname, 'power', 'pushing.test.child.js')
    const steps = trace([child, dataDir], dataDir, join(directory, 'trace'))
    const secret = readFileSync(join(dataDir, 'secret.key'))
    const wanted = new Set(Array.from({ length: cuts }, () => Math.floor(random() * steps.length)))
    const disk = createDisk(dataDir)
    let lost = 0
    for (const [place, step] of steps.entries()) {
      disk.take(step)
      if (!wanted.has(place)) continue
      const after = join(directory, `cut-${place}`)
      // Now and then everything or nothing survives; else each sector by itself.
      const share = [0, 1, 0.5, random()][place % 4] ?? 0
      disk.cutInto(after, () => random() < share)
      const acknowledged = acknowledgedIn(steps.slice(0, place + 1))
      const there = await timelinesIn(join(after, 'otep.db'))
      if (acknowledged.length > 0) t.same(readFileSync(join(after, 'secret.key')), secret)
      const missing = acknowledged.filter(([name, size]) => there.get(name) !== size)
      if (missing.length > 0) t.fail(`cut after step ${place} of ${steps.length}: ${missing}`)
      lost += missing.length
    }
    t.equal(lost, 0, `${steps.length} steps, ${acknowledgedIn(steps).length} calls`)
  },
)
