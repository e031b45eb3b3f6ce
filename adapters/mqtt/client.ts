import { anonymous } from '../../engine/index.ts'
import { localSource } from '../node/limits.ts'
import { errorFields, type Log } from '../node/log.ts'
import { optional } from '../node/optional.ts'
import type { Link, LinkEvents, Sender } from './link.ts'
import { commands } from './topics.ts'

/** Everybody who may publish at the broker, which has rights for that. */
const sender: Sender = { caller: anonymous, source: localSource, owner: 'broker' }

/** Milliseconds between two log lines about a broker that does not answer. */
const complaint = 60_000

/** Connects to a broker, again and again. What is published waits until the broker has it. */
export async function openClient(url: string, { received, connected }: LinkEvents, log: Log): Promise<Link> {
  const mqtt = await optional('Messages to a broker', 'mqtt', () => import('mqtt'))
  const client = mqtt.connect(url, { reconnectPeriod: 2_000, resubscribe: false })
  const ending = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(new Error('The connection was ended.')), { once: true })
  })
  ended.catch(() => {})
  let told = Number.NEGATIVE_INFINITY
  client.on('error', (error) => {
    const now = performance.now()
    if (now - told < complaint) return
    told = now
    log.warn(errorFields(error), 'the MQTT broker cannot be reached')
  })
  client.on('connect', () => {
    client.subscribe(Object.values(commands), { qos: 1 }, (error) => {
      if (error) log.warn(errorFields(error), 'the MQTT broker refused a subscription')
    })
    connected()
  })
  client.on('message', (topic, payload, { retain }) => {
    if (!retain) received(topic, payload, sender)
  })
  return {
    publish: async ({ topic, payload }) => {
      await Promise.race([client.publishAsync(topic, payload, { qos: 1, retain: true }), ended])
    },
    close: async () => {
      ending.abort()
      await client.endAsync(true)
    },
  }
}
