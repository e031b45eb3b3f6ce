import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Certificate, createCertificate } from './certificate.ts'
import { createConditions, type Faults, type Tally } from './faults.ts'
import { type Log, type StoredText, truncate, writeForeign, writeTexts } from './log.ts'
import type { DoubleOptions, Endpoint, Member, Node } from './node.ts'
import { host, type Listening, listen } from './server.ts'

/** A record as tests look at it. */
export interface PhysicalEvent {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

/** A double of a server of EventStoreDB, with which the real client talks over gRPC. */
export interface Double {
  readonly port: number
  /** For the client; names the user and the certificate where credentials are demanded. */
  readonly connectionString: string
  readonly faults: Faults
  readonly tally: Tally
  /** Puts so many events of other applications into its log, and its own between them. */
  foreign(count: number): void
  /** Puts events into its log as they are, without a client. */
  put(events: readonly StoredText[]): void
  /** Stops the server (connections are cut); its events stay. */
  stop(): Promise<void>
  /** Starts it again on the same port with the same events; only ids that were appended since are remembered. */
  start(): Promise<void>
  /** Makes a backup of its disk, and returns what puts it back while the server is stopped. */
  backup(): () => void
  /** All events that were ever written to streams that are not the system's, in order of commit. */
  events(): readonly PhysicalEvent[]
  close(): Promise<void>
}

/** What a server of a cluster knows of the others. */
interface Surroundings {
  readonly leaderElsewhere: () => Endpoint | undefined
  readonly members: () => readonly Member[]
}

/** Starts one server on a log. */
export async function startMember(log: Log, options: DoubleOptions, surroundings?: Surroundings): Promise<Double> {
  const conditions = createConditions(options.latency)
  const security = options.credentials === undefined ? undefined : await secure()
  const alone = () => [{ host, port, alive: true, leader: true }]
  const { leaderElsewhere, members } = surroundings ?? { leaderElsewhere: () => undefined, members: alone }
  let up = false
  const open = async (at: number): Promise<Listening> => {
    const knownSince = log.records.length
    const node: Node = { log, conditions, options, knownSince, running: () => up, leaderElsewhere, members }
    const listening = await listen(node, at, security?.certificate)
    up = true
    return listening
  }
  let server: Listening | undefined = await open(0)
  const { port } = server
  const stop = async () => {
    const stopping = server
    server = undefined
    up = false
    await stopping?.close()
  }
  return {
    port,
    connectionString: connectionString(port, options, security?.file),
    faults: conditions.faults,
    tally: conditions.tally,
    foreign: (count) => writeForeign(log, count, conditions.now()),
    put: (events) => writeTexts(log, events, conditions.now()),
    stop,
    start: async () => {
      server ??= await open(port)
    },
    backup: () => {
      const { length } = log.records
      return () => truncate(log, length)
    },
    events: () => physicalEvents(log),
    close: async () => {
      await stop()
      await security?.remove()
    },
  }
}

function connectionString(port: number, { credentials }: DoubleOptions, file: string | undefined): string {
  if (credentials === undefined || file === undefined) return `esdb://${host}:${port}?tls=false`
  const [username, password] = [credentials.username, credentials.password].map(encodeURIComponent)
  return `esdb://${username}:${password}@${host}:${port}?tls=true&tlsCAFile=${encodeURIComponent(file)}`
}

/** The client reads the certificate that it is to trust from a file. */
async function secure(): Promise<{ certificate: Certificate; file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'eventstore-double-'))
  const file = join(folder, 'certificate.pem')
  const certificate = createCertificate(Date.now())
  await writeFile(file, certificate.certificate)
  return { certificate, file, remove: () => rm(folder, { recursive: true }) }
}

function physicalEvents({ records }: Log): readonly PhysicalEvent[] {
  return records
    .filter(({ stream, type }) => !stream.startsWith('$') && !type.startsWith('$'))
    .map(({ stream, revision, id, type, data, metadata }) => {
      const [dataText = '', metadataText = ''] = [data, metadata].map((bytes) => Buffer.from(bytes).toString('utf8'))
      return { stream, revision: Number(revision), id, type, data: dataText, metadata: metadataText }
    })
}
