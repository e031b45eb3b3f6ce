import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { call, otepForget, otepIngest, readTimeline } from '../../engine/index.ts'
import { randomFrom } from '../kill/random.ts'
import { contextOf, lineOf, openNode, parcels, streamOf } from './node.test.fixture.ts'

/**
 * A process that writes to timelines and reads them, until it is killed: `<directory> <secret> <seed>`. Each answered
 * call is one line on standard output.
 */
const [directory = '', secret = '', seed = '0'] = process.argv.slice(2)
const chance = randomFrom(Number(seed))
const random = (below: number) => Math.floor(below * chance())
const context = contextOf(openNode(directory, secret).parts)

for (let turn = 0; ; turn++) {
  const parcel = random(parcels)
  const index = random(60)
  const withdrawn = { declared_at: '2026-06-12T00:00:00Z', reason: 'Was for Casimir' }
  const kind = random(20)
  // The first parcel is never erased, so there is always one of which a snapshot may be kept.
  if (kind === 0 && parcel > 0) await call(otepForget, context, { tracking_number: `SR${parcel}` }).catch(unlessMissing)
  else {
    const more = kind < 4 ? { withdrawn } : kind < 8 ? { location: { name: `Depot ${turn}` } } : {}
    const lines = Array.from({ length: 1 + random(6) }, (_, next) => lineOf(parcel, index + next, more))
    await call(otepIngest, context, { document: { lines } })
  }
  await readTimeline(context, streamOf(parcel)).catch(unlessMissing)
  writeSync(1, 'done\n')
  // Snapshots are written in between.
  await setTimeout(random(30))
}

function unlessMissing(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'timeline_not_found') throw error
}
