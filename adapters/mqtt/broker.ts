import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Aedes, AedesOptions, AuthenticateError, Client } from 'aedes'
import type { Caller } from '../../engine/index.ts'
import { type Limits, localSource } from '../node/limits.ts'
import { optional } from '../node/optional.ts'
import type { Link, LinkEvents, Sender } from './link.ts'
import { isObservationTopic, type ObservationTopics } from './observations.ts'
import { withShortPackets } from './packets.ts'
import { commands, followOf } from './topics.ts'

/** The most connections of all clients, subscriptions of a client, and bytes of a message to a topic of commands. */
const most = { connections: 1_000, subscriptions: 200, command: 1_024 }

/** Milliseconds after which the token of a client is checked again. */
const checkedEvery = 60_000

/** Return codes of CONNACK (MQTT 3.1.1, section 3.2.2.3). */
const [unavailable, badPassword] = [3, 4]

/** What the broker asks of the engine. */
export interface BrokerParts extends LinkEvents {
  readonly limits: Limits
  /** The caller with a token; throws for any other. */
  callerWith(token: string, source: string): Promise<Caller>
  /** In whose name a timeline is followed. */
  ownerOfFollow(id: number): string | undefined
  readonly observations: ObservationTopics
}

/** A broker, and the port that it listens on. */
export interface Broker extends Link {
  readonly port: number
}

/** Listens for clients, which sign in with one of our tokens as password. */
export async function openBroker(port: number, host: string | undefined, parts: BrokerParts): Promise<Broker> {
  const { Aedes } = await optional('MQTT clients', 'aedes', () => import('aedes'))
  const senders = new Map<Client, Sender & { readonly token: string }>()
  const sources = new WeakMap<Client, string>()
  const broker: Aedes = new Aedes({ ...rights(parts, senders), ...signingIn(parts, senders, sources) })
  await broker.listen()
  broker.on('clientDisconnect', (client) => {
    senders.delete(client)
    parts.observations.leave(client)
  })
  broker.on('unsubscribe', (topics, client) => {
    for (const topic of topics) parts.observations.leave(client, topic)
  })
  // A client that breaks the protocol is disconnected, and there is nothing to tell.
  for (const event of ['clientError', 'connectionError'] as const) broker.on(event, () => {})
  broker.on('publish', ({ topic, payload }, client) => {
    const sender = client && senders.get(client)
    if (sender) parts.received(topic, Buffer.from(payload), sender)
  })
  const server = createServer((socket) =>
    accept(socket, parts.limits, (stream, source) => {
      sources.set(broker.handle(stream), source)
    }),
  )
  server.maxConnections = most.connections
  server.listen(port, host)
  await once(server, 'listening')
  const checking = setInterval(() => void checkAll(parts, senders), checkedEvery).unref()
  parts.connected()
  return {
    port: portOf(server),
    publish: ({ topic, payload }) =>
      new Promise((resolve, reject) => {
        const packet = { cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false } as const
        broker.publish(packet, (error) => (error ? reject(error) : resolve()))
      }),
    close: async () => {
      clearInterval(checking)
      server.close()
      await new Promise<void>((resolve) => broker.close(resolve))
    },
  }
}

function accept(
  socket: Socket,
  limits: Limits,
  handle: (stream: ReturnType<typeof withShortPackets>, source: string) => void,
) {
  const leave = limits.connect(socket.remoteAddress)
  if (leave === undefined) return void socket.destroy()
  socket.once('close', leave)
  handle(withShortPackets(socket), limits.sourceOf(socket.remoteAddress, () => undefined) ?? localSource)
}

type Senders = Map<Client, Sender & { readonly token: string }>

/** Who may connect. A session ends with its connection, so nothing is kept for clients that are away. */
function signingIn(
  { callerWith, limits }: BrokerParts,
  senders: Senders,
  sources: WeakMap<Client, string>,
): Pick<AedesOptions, 'preConnect' | 'authenticate'> {
  return {
    preConnect: (_, packet, done) => {
      packet.clean = true
      done(null, true)
    },
    authenticate: (client, _, password, done) => {
      const token = password?.toString() ?? ''
      const source = sources.get(client) ?? localSource
      callerWith(token, source).then(
        (caller) => {
          const owner = `${caller.kind}:${caller.name}`
          senders.set(client, { caller, source, owner, token })
          // Clients of others with the same id are left alone.
          Object.assign(client, { id: `${owner} ${client.id}` })
          done(null, true)
        },
        () => {
          done(refusal(limits.tryTake('public_calls', source) ? badPassword : unavailable), false)
        },
      )
    },
  }
}

function refusal(returnCode: number): AuthenticateError {
  return Object.assign(new Error('The password is no token of this server.'), { returnCode })
}

/** What clients may publish and see. Only the server keeps messages. */
function rights(
  { ownerOfFollow, observations }: BrokerParts,
  senders: Senders,
): Pick<AedesOptions, 'authorizePublish' | 'authorizeSubscribe' | 'authorizeForward'> {
  const topics: readonly string[] = Object.values(commands)
  const counts = new WeakMap<Client, number>()
  /** What the server says about Observations; what clients publish is for the server alone. */
  const own = new WeakSet<Buffer>()
  return {
    authorizePublish: (_, { topic, payload, retain }, done) => {
      const isCommand = topics.includes(topic) && payload.length <= most.command
      const isAllowed = !retain && (isCommand || isObservationTopic(topic))
      done(isAllowed ? null : new Error('A client may not publish this.'))
    },
    authorizeSubscribe: (client, subscription, done) => {
      const { topic, qos } = subscription
      const sender = senders.get(client)
      const count = (counts.get(client) ?? 0) + 1
      counts.set(client, count)
      if (count > most.subscriptions || sender === undefined) return done(null, null)
      if (!isObservationTopic(topic)) return done(null, /^(otep|homeassistant)\//.test(topic) ? subscription : null)
      const send = (text: string) => {
        const payload = Buffer.from(text)
        own.add(payload)
        const packet = { cmd: 'publish', topic, payload, qos: qos > 0 ? 1 : 0, retain: false, dup: false } as const
        client.publish(packet, () => {})
      }
      observations.watch(client, topic, sender, send).then(
        (isThere) => done(null, isThere ? subscription : null),
        (error: Error) => done(error),
      )
    },
    authorizeForward: (client, packet) => {
      if (isObservationTopic(packet.topic)) return own.has(packet.payload as Buffer) ? packet : null
      const id = followOf(packet.topic)
      const owner = id === undefined ? undefined : ownerOfFollow(id)
      return owner !== undefined && owner === senders.get(client)?.owner ? packet : null
    },
  }
}

/** Disconnects clients whose tokens have ended. */
async function checkAll({ callerWith }: BrokerParts, senders: Senders): Promise<void> {
  for (const [client, { token, source }] of senders) await callerWith(token, source).catch(() => client.close())
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
