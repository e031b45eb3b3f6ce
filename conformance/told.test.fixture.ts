import type { World } from '../adapters/auth/world.test.fixture.ts'
import { domains, type WebhookEvent } from '../engine/index.ts'

/** Every webhook event of a type that a store has caused so far, in order. */
export async function toldIn({ parts }: Pick<World, 'parts'>, type: string): Promise<readonly WebhookEvent[]> {
  const sources = domains.flatMap(({ webhookEventSources = [] }) => webhookEventSources)
  const found: WebhookEvent[] = []
  for await (const event of parts.store.readAll())
    for (const source of sources)
      if (event.stream.startsWith(`${source.category}-`) && source.types.includes(event.type))
        found.push(...(await source.webhookEventsOf({ ...parts, baseUrl: '' }, event)))
  return found.filter((one) => one.type === type)
}
