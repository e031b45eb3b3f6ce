import t from 'tap'
import { clockBack } from './faults/clock.ts'
import { manyWriters } from './faults/crowd.ts'
import { fullDisk, noLimits } from './faults/full-disk.ts'
import { longStream } from './faults/long-stream.ts'
import { slowStore } from './faults/slow-store.ts'
import { tornFiles, tornLogs } from './faults/torn-page.ts'
import { program } from './program/files.ts'

const anywhere = { ...tornLogs, ...slowStore, ...clockBack, ...manyWriters, ...longStream }

for (const [sentence, survive] of Object.entries(anywhere)) await t.test(sentence, (t) => survive(t, { program }))

for (const [sentence, survive] of Object.entries(fullDisk)) {
  await t.test(sentence, { skip: noLimits }, (t) => survive(t, { program }))
}

for (const [sentence, survive] of Object.entries(tornFiles)) await t.test(sentence, (t) => survive(t, { program }))
