import {
  type Context,
  categoryOf,
  en,
  endingWith,
  findVisible,
  isEngineError,
  isObject,
  otepIngest,
  type RecordedEvent,
  type StreamName,
} from '../../engine/index.ts'
import { partsOfId } from '../../projections/sensorthings/links.ts'
import type { ContextParts } from '../node/gateway.ts'
import { countCall, lookUp } from '../node/limited.ts'
import type { Limits } from '../node/limits.ts'
import type { Observations } from '../node/observations.ts'
import type { Sender } from './link.ts'

/** The most Observations that one event sends to a listener. */
const mostAtOnce = 100

/** Who listens for the Observations of a Datastream. */
interface Watch {
  readonly topic: string
  readonly datastream: string
  readonly context: Context
  readonly timeline: StreamName
  /** The ids of the latest Observations that are known. */
  seen: ReadonlySet<unknown>
  send(payload: string): void
}

/** The topics of SensorThings (18-088, section 14.2): an Observation is created by publishing, and received by subscribing. */
export interface ObservationTopics {
  /** Creates an Observation; throws refusals. */
  create(topic: string, payload: Buffer, sender: Sender): Promise<void>
  /** Begins to listen; false if there is no such Datastream for the sender. */
  watch(client: object, topic: string, sender: Sender, send: Watch['send']): Promise<boolean>
  /** Ends to listen, on one topic or on all. */
  leave(client: object, topic?: string): void
  /** Sends what is new until the signal. */
  run(position: string | undefined, signal: AbortSignal): Promise<void>
}

/** Whether a topic is that of the Observations of a Datastream. */
export function isObservationTopic(topic: string): boolean {
  return datastreamIn(topic) !== undefined
}

/** The id of the Datastream in a topic, which has the key as addresses do. */
function datastreamIn(topic: string): string | undefined {
  const [, key] = /^v1\.1\/Datastreams\('([^+#\0]{1,1000})'\)\/Observations$/.exec(topic) ?? []
  if (key === undefined) return undefined
  try {
    return decodeURIComponent(key).replaceAll("''", "'")
  } catch {
    return undefined
  }
}

/** The topics on the Observations of the service. */
export function createObservationTopics(
  parts: ContextParts,
  observations: Observations,
  limits: Limits,
): ObservationTopics {
  const watches = new Map<object, Map<string, Watch>>()
  const contextOf = ({ caller, source }: Sender): Context => ({
    ...{ ...parts, caller, source, messages: en, requestId: parts.randomId() },
  })
  const latest = ({ context, datastream }: Pick<Watch, 'context' | 'datastream'>) =>
    observations.latest(context, datastream, mostAtOnce)

  async function sendNews(watch: Watch): Promise<void> {
    const all = await latest(watch)
    const news = all.filter((one) => !watch.seen.has(idOf(one)))
    watch.seen = new Set(all.map(idOf))
    for (const one of news.toReversed()) watch.send(JSON.stringify(one))
  }

  return {
    create: async (topic, payload, sender) => {
      const context = contextOf(sender)
      countCall(limits, otepIngest, context)
      const body: unknown = JSON.parse(payload.toString())
      await lookUp(limits, context, () => observations.create(context, datastreamIn(topic) ?? '', body))
    },
    watch: async (client, topic, sender, send) => {
      const context = contextOf(sender)
      const datastream = datastreamIn(topic) ?? ''
      const [thing = ''] = partsOfId(datastream) ?? []
      try {
        const timeline = await lookUp(limits, context, async () => (await findVisible(context, thing)).stream)
        const seen = new Set((await latest({ context, datastream })).map(idOf))
        const own = watches.get(client) ?? new Map<string, Watch>()
        watches.set(client, own.set(topic, { topic, datastream, context, timeline, seen, send }))
        return true
      } catch (error) {
        if (isEngineError(error)) return false
        throw error
      }
    },
    leave: (client, topic) => {
      if (topic === undefined) watches.delete(client)
      else watches.get(client)?.delete(topic)
    },
    run: async (position, signal) => {
      const until = endingWith(signal)
      const follow = async (category: string) => {
        for await (const event of parts.store.follow(position, { category, opens: () => false }, until.signal)) {
          const timeline = timelineOf(event)
          for (const own of watches.values())
            for (const watch of own.values()) if (watch.timeline === timeline) await sendNews(watch)
        }
      }
      await Promise.all([follow('tracking'), follow('sensor_readings')]).finally(() => until.abort())
    },
  }
}

/** The stream of the timeline that an event is about. */
function timelineOf({ stream, data }: RecordedEvent): string {
  return categoryOf(stream) === 'tracking' || !isObject(data) ? stream : `tracking-${data.timeline}`
}

function idOf(observation: object): unknown {
  return '@iot.id' in observation ? observation['@iot.id'] : undefined
}
