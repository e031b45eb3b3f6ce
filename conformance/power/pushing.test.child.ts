import { writeSync } from 'node:fs'
import { createEngine, type Engine } from '../../adapters/server.ts'

/** A process that pushes events to a store in a directory, `<directory>`, and says `stored NAME` of each once it is acknowledged. */
const [dataDir = ''] = process.argv.slice(2)

/** Events in each call; the large call is moved from the log into the file while the next ones come. */
const sizes = [1, 3, 1, 2_100, 2, 1, 40, 1]

for (let round = 0; round < 3; round++) {
  const engine = await createEngine({ store: `sqlite:${dataDir}/otep.db`, dataDir })
  const key = await engine.addProvider(`carrier-${round}`, 'all businesses')
  for (const [call, size] of sizes.entries())
    await push(engine, key, `${round}-${call}`, round === 1 ? size : Math.min(size, 40))
  await engine.close()
}

async function push(engine: Engine, key: string, call: string, size: number): Promise<void> {
  const names = Array.from({ length: size }, (_, place) => `${call}-${place}`)
  const events = names.map((event_id) => ({
    ...{ event_id, occurred_at: '2026-06-10T09:00:00Z', status_code: 'in_transit' },
    location: { address: { street: `${event_id} Street`, locality: 'Toronto', country: 'CA' } },
  }))
  const answer = await engine.fetch(
    new Request('http://localhost/api/v1/otep/ingest', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ subject: { tracking_number: `PC-${call}` }, events }),
    }),
  )
  const { data } = (await answer.json()) as { readonly data?: { readonly accepted: number } }
  if (data?.accepted !== size) throw new Error(`Of ${size} events ${data?.accepted} were accepted.`)
  writeSync(1, `stored PC-${call} ${size}\n`)
}
