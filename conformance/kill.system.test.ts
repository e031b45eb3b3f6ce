import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { type Call, callsOf, eventId, sizeOf, timelineLength, trackingNumber } from './kill/calls.ts'
import { createClient } from './kill/client.ts'
import { type Moment, untilMoment } from './kill/moment.ts'
import { push } from './kill/push.ts'
import { randomFrom } from './kill/random.ts'
import { createWitness, gapsIn, type Witness } from './kill/witness.ts'
import { program } from './program/files.ts'
import { addProvider } from './program/provider.ts'
import { type Server, startServer } from './program/server.ts'

/** The rounds of killing (more in a nightly run), and the number of events in each. */
const kills = Number(process.env.OTEP_KILL_ROUNDS ?? 3)
const total = kills * 5_000
const lanes = 3

/** Every other kill comes at a random moment within this time, the others this soon after a write to the log. */
const longestWait = { moment: 300, write: 40 }

/** The names of all events at the server, with each timeline requested by its number. */
async function namesTold({ port }: Server): Promise<readonly string[]> {
  const client = createClient(port, '')
  const names: string[] = []
  const numbers = Array.from({ length: total / timelineLength }, (_, parcel) => trackingNumber(parcel))
  for (let from = 0; from < numbers.length; from += 500) {
    const timelines = await client.timelines(numbers.slice(from, from + 500))
    names.push(...timelines.flatMap((events) => events.map(({ event_id }) => event_id)))
  }
  client.close()
  return names
}

function isWhole(witness: Witness) {
  return (call: Call) => witness.standing(call) === sizeOf(call)
}

t.test(
  `given ${total} events, when the server is killed ${kills} times, then all acknowledged events are recorded once`,
  async (t) => {
    const seed = Number(process.env.OTEP_TEST_SEED ?? randomInt(2 ** 31))
    t.comment(`OTEP_TEST_SEED=${seed} chooses the same moments again`)
    const random = randomFrom(seed)
    const directory = t.testdir()
    const dataDir = join(directory, 'data')
    const key = await addProvider('acme', ['--data-dir', dataDir])
    const calls = callsOf(total, random)
    const witness = createWitness(dataDir, calls)
    const answered = new Set<Call>()
    const count = { events: 0, again: 0, inside: 0 }
    let server = await startServer(program, dataDir)
    t.teardown(() => server.kill())

    /** Sends calls; one that stood already is to be answered as a repetition. Answers those that got no answer. */
    async function pushAll(wanted: readonly Call[], progress: () => void = () => {}): Promise<readonly Call[]> {
      const client = createClient(server.port, key)
      const stood = new Set(calls.filter(isWhole(witness)))
      const { answers, unanswered } = await push(client, wanted, lanes, (call) => {
        answered.add(call)
        count.events += sizeOf(call)
        progress()
      })
      client.close()
      const surprises = [...answers].filter(([call, { status, accepted, duplicate }]) => {
        const [news, olds] = stood.has(call) ? [0, sizeOf(call)] : [sizeOf(call), 0]
        return status !== 200 || accepted !== news || duplicate !== olds
      })
      t.same(surprises, [], 'what stood already is a duplicate, and everything else is accepted')
      count.again += [...answers.keys()].filter((call) => stood.has(call)).length
      return unanswered
    }

    const waiting = () => calls.filter((call) => !answered.has(call))
    for (let round = 0; round < kills; round++) {
      const threshold = ((round + random()) / (kills + 2)) * total
      const moment: Moment =
        round % 2 === 0
          ? { wait: random() * longestWait.moment }
          : { wait: random() * longestWait.write, file: join(dataDir, 'otep.db-wal') }
      let killed: Promise<void> | undefined
      const killWhenDue = () => {
        if (count.events >= threshold) killed ??= untilMoment(moment).then(server.kill)
      }
      killWhenDue()
      const unanswered = await pushAll(waiting(), killWhenDue)
      if (killed === undefined) throw new Error('A living server did not answer.')
      await killed
      server = await startServer(program, dataDir)
      await witness.look()
      const standing = unanswered.filter((call) => witness.standing(call) > 0)
      t.same(
        standing.filter((call) => !isWhole(witness)(call)),
        [],
        'a call without an answer is there whole or not at all',
      )
      t.same(
        [...answered].filter((call) => !isWhole(witness)(call)),
        [],
        'what was answered is there',
      )
      if (unanswered.length > 0) count.inside++
      t.comment(`kill ${round + 1}: ${count.events} events answered; without an answer ${unanswered.length} calls`)
      t.comment(`  of which ${standing.length} were recorded`)
    }
    t.ok(count.inside > 0, `${count.inside} kills hit a call that was under way`)
    t.same(await pushAll(waiting()), [], 'in the end every call is answered')
    t.comment(`${calls.length} calls; ${count.again} that stood without an answer were duplicates when sent again`)
    await witness.look()
    t.same(await pushAll(calls.filter((call) => sizeOf(call) <= 1000)), [], 'sent again, they are duplicates')

    const names = await namesTold(server)
    const expected = Array.from({ length: total }, (_, index) => eventId(index))
    t.equal(names.length, total, 'the server tells as many events')
    t.same(missingIn(names, expected), [], 'and every one of them')
    t.equal(await server.stop(), 0)
    await witness.look()
    t.same(witness.wrong(), [], 'every event was recorded once, by its own call')
    t.same(
      calls.filter((call) => !isWhole(witness)(call)),
      [],
    )
    t.same(await gapsIn(dataDir), [], 'revisions have no gaps')
    const database = openDatabase(join(dataDir, 'otep.db'))
    t.same({ ...(database.prepare('PRAGMA integrity_check').get() as object) }, { integrity_check: 'ok' })
    database.close()
  },
)

function missingIn(names: readonly string[], expected: readonly string[]): readonly string[] {
  const found = new Set(names)
  return expected.filter((name) => !found.has(name))
}
