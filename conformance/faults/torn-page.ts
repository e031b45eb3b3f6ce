import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codesOf, document, journey } from '../rest/events.ts'
import { type Faults, type Process, processOf } from './setting.ts'

const parcels = 20

async function fill({ client }: Process): Promise<void> {
  for (let number = 0; number < parcels; number++) {
    const { status } = await client.ingest(document(`TORN${number}`, journey, { order_id: 80_000 + number }))
    if (status !== 200) throw new Error(`An ingest was answered ${status}.`)
  }
}

/** Ways in which the end of a file can be lost; `size` is that of a page. */
const damages: Readonly<Record<string, (file: number, size: number) => void>> = {
  'cut short': (file, size) => ftruncateSync(file, fstatSync(file).size - size / 2),
  overwritten: (file, size) => void writeSync(file, Buffer.alloc(size / 2, 0xa5), 0, size / 2, sizeOf(file) - size / 2),
}

function sizeOf(file: number): number {
  return fstatSync(file).size
}

function damage(path: string, how: string, size: number): void {
  const file = openSync(path, 'r+')
  damages[how]?.(file, size)
  closeSync(file)
}

/** The page size in bytes, from the header of the file. */
function pageSizeOf(path: string): number {
  const file = openSync(path, 'r')
  const bytes = Buffer.alloc(2)
  readSync(file, bytes, 0, 2, 16)
  closeSync(file)
  return bytes.readUInt16BE()
}

function tornLog(how: string): Faults[string] {
  return async (t, setting) => {
    const before = await processOf(t, setting)
    await fill(before)
    await before.server.kill()
    damage(join(before.dataDir, 'otep.db-wal'), how, pageSizeOf(join(before.dataDir, 'otep.db')))
    const { client, server, otep } = await before.restarted()
    for (let number = 0; number < parcels - 1; number++)
      t.same(codesOf(await client.timeline(`${80_000 + number}`)), codesOf({ events: journey }))
    const last = `TORN${parcels - 1}`
    // A write of the server itself may have come after the last call; then that one is gone.
    const isGone = (await client.get(`/api/v1/otep/trackings/${last}`)).status === 404
    t.comment(`the last call is ${isGone ? 'gone' : 'there'}`)
    for (const name of [last, `${80_000 + parcels - 1}`])
      if (isGone) await t.rejects(client.timeline(name), /: 404 /, 'the last call is gone as a whole')
      else t.equal((await client.timeline(name)).events.length, 5, 'the last call is there as a whole')
    const again = document(last, journey, { order_id: 80_000 + parcels - 1 })
    const accepted = isGone ? 5 : 0
    t.match(await client.ingest(again), { status: 200, body: { data: { accepted, duplicate: 5 - accepted } } })
    t.equal((await client.timeline(`${80_000 + parcels - 1}`)).events.length, 5)
    t.match(await otep('verify'), { code: 0, text: /whole/ })
    t.equal(await server.stop(), 0)
  }
}

function tornFile(how: string): Faults[string] {
  return async (t, setting) => {
    const before = await processOf(t, setting)
    await fill(before)
    t.equal(await before.server.stop(), 0)
    const file = join(before.dataDir, 'otep.db')
    damage(file, how, pageSizeOf(file))
    const verified = await before.otep('verify')
    t.match(verified, { code: 1, text: /otep\.db/ }, 'the check names it')
    const after = await before.restarted().catch(() => undefined)
    if (after === undefined) return
    const answers = await Promise.all(
      Array.from({ length: parcels }, (_, number) => after.client.get(`/api/v1/otep/trackings/TORN${number}`)),
    )
    for (const { status, body } of answers) {
      if (status >= 500) t.match(body, { result: false, code: 'internal' })
      else t.same({ status, codes: codesOf(body.data as never) }, { status: 200, codes: codesOf({ events: journey }) })
    }
  }
}

/** The last page of the log was not written to its end. */
export const tornLogs: Faults = Object.fromEntries(
  Object.keys(damages).map((how) => [
    `given a log whose last page is ${how}, when it is opened, then the rest is served and added to`,
    tornLog(how),
  ]),
)

/** The last page of the file itself was not. */
export const tornFiles: Faults = Object.fromEntries(
  Object.keys(damages).map((how) => [
    `given a file whose last page is ${how}, when it is opened, then nothing wrong is served`,
    tornFile(how),
  ]),
)
