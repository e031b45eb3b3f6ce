import { type Caller, type Context, call, en, otepIngest, type RecordedEvent } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/** The context in which a policy does what follows from an event: as the platform itself, for the request that caused it. */
export function contextAfter(parts: ContextParts, caller: Caller, { metadata, id }: RecordedEvent): Context {
  return { ...parts, caller, messages: en, requestId: metadata.correlationId ?? id }
}

interface Ingested {
  readonly events: readonly { readonly errors?: readonly { readonly code: string }[] }[]
}

/** Reports events to a timeline. Answers the codes of what was refused: what was wrong may be logged, what was in it not. */
export async function refusalsOf(
  context: Context,
  document: { readonly profile: string; readonly subject: object; readonly events: readonly object[] },
): Promise<readonly string[]> {
  const { data } = (await call(otepIngest, context, { document })) as { readonly data: Ingested }
  return data.events.flatMap(({ errors = [] }) => errors.map(({ code }) => code))
}
