import { endingWith, type Policy } from '../../engine/index.ts'
import type { Authenticate, ContextParts } from '../node/gateway.ts'
import type { Limits } from '../node/limits.ts'
import { errorFields, type Log } from '../node/log.ts'
import type { MqttSetting } from '../node/mqtt.ts'
import type { Observations } from '../node/observations.ts'
import { openBroker } from './broker.ts'
import { openClient } from './client.ts'
import { followPolicies, obey, publishAll } from './followed.ts'
import type { Link, LinkEvents } from './link.ts'
import { createObservationTopics, isObservationTopic, type ObservationTopics } from './observations.ts'
import { createOwners } from './owners.ts'

/** MQTT while it is spoken. */
export interface Mqtt {
  /** What keeps an outside broker current: one node does it. */
  readonly policies: readonly Policy[]
  /** The port of the broker of this process; absent if there is none. */
  readonly port: number | undefined
  close(): Promise<void>
}

/** What MQTT needs of its node. */
interface MqttParts {
  readonly parts: ContextParts
  readonly authenticate: Authenticate
  readonly limits: Limits
  /** The Observations of SensorThings. */
  readonly observations: Observations
  readonly log: Log
  readonly host: string | undefined
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Begins to speak MQTT: as a broker, with another broker, or both. Throws if a package for it is not installed. */
export async function startMqtt({ port, url }: MqttSetting, node: MqttParts): Promise<Mqtt> {
  const ending = new AbortController()
  const links: Link[] = []
  const own = port === undefined ? undefined : await startBroker(port, node, ending.signal)
  if (own) links.push(own)
  const outside = url === undefined ? undefined : await startClient(url, node)
  if (outside) links.push(outside)
  return {
    policies: outside === undefined ? [] : followPolicies(node.parts, outside),
    port: own?.port,
    close: async () => {
      ending.abort()
      await Promise.all(links.map((link) => link.close()))
    },
  }
}

function eventsOf(
  { parts, limits, log }: MqttParts,
  connected: () => void,
  observations?: ObservationTopics,
): LinkEvents {
  const failed = (error: unknown) => log.warn(errorFields(error), 'a message by MQTT failed')
  return {
    connected,
    received: (topic, payload, sender) => {
      const done = isObservationTopic(topic)
        ? observations?.create(topic, payload, sender)
        : obey(parts, limits, topic, payload, sender)
      void done?.catch(failed)
    },
  }
}

/** A broker keeps messages in the memory of its process, so each process fills its own. */
async function startBroker(port: number, node: MqttParts, signal: AbortSignal) {
  const { parts, authenticate, limits, host } = node
  const owners = createOwners()
  const observations = createObservationTopics(parts, node.observations, limits)
  const broker = await openBroker(port, host, {
    ...eventsOf(node, () => {}, observations),
    ...{ limits, observations },
    ownerOfFollow: owners.ownerOf,
    callerWith: (token, source) => authenticate({ ...parts, source }, `Bearer ${token}`),
  })
  const link: Link = { ...broker, publish: (message) => broker.publish(message) }
  void keepCurrent(node, link, { owners, observations }, signal)
  return { ...link, port: broker.port }
}

async function startClient(url: string, node: MqttParts): Promise<Link> {
  const { log, parts } = node
  const failed = (error: unknown) => log.warn(errorFields(error), 'messages for MQTT could not be published')
  const connected = () => void opening.then((link) => publishAll(parts, link)).catch(failed)
  const opening: Promise<Link> = openClient(url, eventsOf(node, connected), log)
  return opening
}

/** Milliseconds before work that failed begins again. */
const pause = 2_000

/** Publishes all follows, and then each change, until the signal; from the beginning after a failure. */
async function keepCurrent(
  { parts, log, wait }: MqttParts,
  link: Link,
  {
    owners,
    observations,
  }: { readonly owners: ReturnType<typeof createOwners>; readonly observations: ObservationTopics },
  signal: AbortSignal,
): Promise<void> {
  const policies = followPolicies(parts, link)
  while (!signal.aborted) {
    const until = endingWith(signal)
    try {
      const position = await parts.store.latest()
      await owners.load(parts)
      await publishAll(parts, link)
      await Promise.all([
        observations.run(position, until.signal),
        ...policies.map(async ({ filter, handle }) => {
          for await (const event of parts.store.follow(position, filter, until.signal)) {
            owners.note(event)
            await handle(event, until.signal)
          }
        }),
      ])
    } catch (error) {
      if (signal.aborted) return
      log.warn(errorFields(error), 'messages for MQTT could not be published')
      await wait(pause, signal)
    } finally {
      until.abort()
    }
  }
}
