import { readdirSync } from 'node:fs'
import t from 'tap'
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
import { queries } from './queries.ts'
import { read } from './read.ts'
import { rebuild } from './rebuild.ts'
import { shell } from './shell.ts'
import { holdGoals, runPrograms, runSmall } from './small.test.fixture.ts'
import { startUp } from './start-up.ts'
import { streams } from './streams.ts'
import { validation } from './validation.ts'
import { webhooks } from './webhooks.ts'
import { xml } from './xml.ts'

t.test('given programs as they are built, when they are measured, then they do their work', async (t) => {
  await runPrograms(t, [rebuild, startUp, read, distributed, shell, long, fairness, webhooks])
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
