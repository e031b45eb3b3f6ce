import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { run } from '../adapters/cli/run.ts'
import { program } from './program/files.ts'
import { startServer } from './program/server.ts'

/** More than an answer lists; a nightly run sends 100,000. */
const total = Number(process.env.OTEP_LONG_DOCUMENT ?? 12_000)
const parcels = total / 20

/** The option for Node from docs/explanation/security.md: by default it collects garbage later. */
const options = ['--max-old-space-size=192']

/** The maximum memory in bytes, beyond that of the idle process. */
const memory = 256 * 1024 * 1024

const words = [
  ...['staging_outbound', 'accepting', 'arriving', 'departing', 'transporting', 'arriving', 'departing'],
  ...['transporting', 'arriving', 'receiving'],
]

/** An event of one of the parcels, whose events are as far apart as possible. */
function event(index: number): string {
  const [parcel, step] = [index % parcels, Math.floor(index / parcels)]
  const at = new Date(Date.parse('2026-06-01T08:00:00Z') + index * 1000).toISOString()
  return JSON.stringify({
    type: 'ObjectEvent',
    eventID: `urn:uuid:00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    eventTime: at,
    eventTimeZoneOffset: '+02:00',
    epcList: [`urn:epc:id:sgtin:4012345.011111.${parcel}`],
    action: 'OBSERVE',
    bizStep: words[step % words.length],
    disposition: 'in_transit',
    readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' },
  })
}

/** The document in pieces, as a streaming sender would write it. */
async function* document(): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const context = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'
  yield encoder.encode(
    `{"@context":"${context}","type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-06-10T14:00:00Z",` +
      '"epcisBody":{"eventList":[',
  )
  for (let from = 0; from < total; from += 500) {
    const events = Array.from({ length: 500 }, (_, index) => event(from + index))
    yield encoder.encode((from === 0 ? '' : ',') + events.join(','))
  }
  yield encoder.encode(']}}')
}

async function providerKey(dataDir: string): Promise<string> {
  const [stdin, stdout, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const stderr = Object.assign(errors, { isTTY: false, columns: 80 })
  await run(['provider', 'add', 'acme', '--all-businesses', '--init', '--data-dir', dataDir], {
    env: {},
    stdin,
    stdout,
    stderr,
  })
  return (await text(stdout.end())).trim()
}

const status = (pid: number) => `/proc/${pid}/status`

/** The peak memory of a process so far, in bytes. */
function peak(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status(pid), 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

t.test(
  `given ${total} events in one EPCIS document, those of a parcel far apart, when they are posted with proceed, then all are stored in 256 MiB of memory`,
  { skip: existsSync(status(process.pid)) ? false : 'no /proc here to read the memory of a process from' },
  async (t) => {
    const directory = t.testdir()
    const dataDir = join(directory, 'data')
    const key = await providerKey(dataDir)
    const server = await startServer(program, dataDir, options)
    t.teardown(() => server.kill())
    const idle = peak(server.pid)
    const started = performance.now()
    const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/otep/ingest/epcis`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/ld+json',
        'GS1-Capture-Error-Behaviour': 'proceed',
      },
      body: ReadableStream.from(document()),
      duplex: 'half',
    })
    const { data } = (await response.json()) as { data: { events: readonly unknown[] } & Record<string, unknown> }
    const held = peak(server.pid) - idle
    t.comment(`${Math.round(held / 1024 / 1024)} MiB, ${Math.round(performance.now() - started)} ms`)
    t.match(data, { accepted: total, duplicate: 0, rejected: 0, ignored: undefined })
    t.equal(data.events.length, 10_000, 'no more than this are listed')
    t.ok(held < memory, `${held} bytes more than idle at the most`)
    const thing = encodeURIComponent(`https://id.gs1.org/01/04012345111118/21/${parcels - 1}`)
    const timeline = await fetch(`http://127.0.0.1:${server.port}/api/v1/otep/trackings/${thing}/events`)
    const { data: events } = (await timeline.json()) as { data: readonly unknown[] }
    t.equal(events.length, total / parcels)
    t.equal(await server.stop(), 0)
  },
)
