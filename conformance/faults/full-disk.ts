import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { codesOf, document, event, journey } from '../rest/events.ts'
import { type Faults, processOf, ready } from './setting.ts'

/** What is left to write when the disk fills up, in bytes. */
const left = 256 * 1024

/** Why it cannot be shown on this machine, if it cannot. */
export const noLimits = spawnSync('prlimit', ['--version']).status === 0 ? false : 'there is no prlimit (util-linux)'

/** Node ignores the signal for an oversized file, but code that tap loads into child processes would end them. */
const ignoringSignal = ["--import=data:text/javascript,process.on('SIGXFSZ',()=>{})"]

/** From now on no file of a process may grow beyond this; what is written beyond fails as on a full disk. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`prlimit: ${stderr}`)
}

/** A parcel with large events, so that the disk fills up soon. */
function parcel(number: number) {
  const description = 'x'.repeat(500)
  return document(
    `FULL${number}`,
    Array.from({ length: 20 }, (_, hour) => event('in_transit', hour, { description })),
    { order_id: 90_000 + number },
  )
}

/** A disk without room; shown where a limit can be put on a process that runs. */
export const fullDisk: Faults = {
  'given a disk that fills up, when events arrive, then they are refused, reads continue, and later all are recorded':
    async (t, setting) => {
      const { server, client, dataDir, otep } = await processOf(t, setting, ignoringSignal)
      t.equal((await client.ingest(document('EARLY', journey))).status, 200)
      const early = await client.get('/api/v1/otep/trackings/EARLY')
      // Read models need separate space.
      await ready(client)
      limitFiles(server.pid, statSync(join(dataDir, 'otep.db-wal')).size + left)
      const taken: number[] = []
      let refused = await client.ingest(parcel(0))
      for (; refused.status === 200 && taken.length < 1000; refused = await client.ingest(parcel(taken.length)))
        taken.push(taken.length)
      t.ok(taken.length > 2, `${taken.length} calls fit`)
      t.match(refused, { status: 503, body: { result: false, code: 'store_unavailable' } })
      t.equal(refused.headers.get('retry-after'), '1')

      for (const number of taken) t.equal((await client.timeline(String(90_000 + number))).events.length, 20)
      t.equal(
        (await client.get(`/api/v1/otep/trackings/FULL${taken.length}`)).status,
        404,
        'nothing of what was refused',
      )
      const etag = early.headers.get('etag') ?? ''
      t.equal((await client.get('/api/v1/otep/trackings/EARLY', { 'If-None-Match': etag })).status, 304)
      t.match(await client.get('/healthz'), { status: 200, body: { status: 'alive' } })
      const refusing = { status: 'ready', store: { reachable: true }, writes: 'refused' }
      // A small write of the server itself may still fit; for a moment, writes are accepted then.
      const told = async () => {
        await client.ingest(parcel(taken.length))
        return [await client.get('/readyz'), await client.get('/readyz?writes')] as const
      }
      let [able, writable] = await told()
      for (let again = 0; again < 10 && writable.status !== 503; again++) [able, writable] = await told()
      t.match(able, { status: 200, body: refusing })
      t.match(writable, { status: 503, body: refusing })

      limitFiles(server.pid, 'unlimited')
      t.match(await client.ingest(parcel(taken.length)), { status: 200, body: { data: { accepted: 20 } } })
      t.match(await client.get('/readyz?writes'), { status: 200, body: { writes: 'accepted' } })
      t.match((await client.ingest(parcel(0))).body, { data: { accepted: 0, duplicate: 20 } })
      for (const number of [...taken, taken.length])
        t.equal((await client.timeline(`FULL${number}`)).events.length, 20, 'each event once')
      t.same(codesOf(await client.timeline('EARLY')), codesOf({ events: journey }))
      t.match(await otep('verify'), { code: 0, text: /whole/ })
      t.equal(await server.stop(), 0)
    },
}
