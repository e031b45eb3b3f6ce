import { readdirSync } from 'node:fs'
import t from 'tap'
import { besideOthers } from './beside-others.ts'
import { byOneself } from './by-oneself.ts'
import { capture } from './capture.ts'
import { catchUp } from './catch-up.ts'
import { cold } from './cold.ts'
import { distributed } from './distributed.ts'
import { fairness } from './fairness/index.ts'
import { fold } from './fold.ts'
import { formatTopics } from './formats.ts'
import { growth } from './growth.ts'
import { hashes } from './hashes.ts'
import { length } from './length.ts'
import { long } from './long.ts'
import { manyEvents } from './many-events.ts'
import { queries } from './queries.ts'
import { read } from './read.ts'
import { rebuild } from './rebuild.ts'
import { shell } from './shell.ts'
import { holdGoals, namesIn, runPrograms, runSmall, small } from './small.test.fixture.ts'
import { startUp } from './start-up.ts'
import { streams } from './streams.ts'
import { twoNodes } from './two-nodes.ts'
import { validation } from './validation.ts'
import { webhooks } from './webhooks.ts'
import { xml } from './xml.ts'

t.test('given programs as they are built, when they are measured, then they do their work', async (t) => {
  await runPrograms(t, [rebuild, startUp, read, distributed, byOneself, besideOthers, manyEvents])
  await runPrograms(t, [shell, long, fairness, webhooks])
})

t.test('given two nodes, when orders are made and a node is killed, then each has its webhook', async (t) => {
  const { cases, close } = await twoNodes.prepare({ ...small(t.testdir()), scale: 0.1 })
  namesIn(twoNodes, cases)
  try {
    for (const { name, run } of cases) {
      const { units, figures } = await run()
      t.ok(units > 0 && Number(figures?.['longest ms']) > 0, name)
    }
  } finally {
    await close()
  }
})

t.test(
  'given a small run of every topic in this process, when it is over, then each case has a rate, and no file is left',
  async (t) => {
    const directory = t.testdir()
    const ofStore = [streams, growth, cold, catchUp, capture, queries]
    const topics = [...ofStore, ...formatTopics, hashes, validation, xml, fold, length]
    for (const topic of topics) await runSmall(t, topic, directory)
    t.same(readdirSync(directory), [])
  },
)

t.test('given the goals, when topics have run, then each uses existing cases', async (t) => {
  holdGoals(t)
})
