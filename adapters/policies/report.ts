import { type Caller, type Context, call, en, otepIngest, type RecordedEvent } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/** The context of a policy: the platform as the caller, with the event as the cause. */
export function contextAfter(parts: ContextParts, caller: Caller, { metadata, id }: RecordedEvent): Context {
  return { ...parts, caller, messages: en, requestId: metadata.correlationId ?? id }
}

interface Ingested {
  readonly events: readonly { readonly errors?: readonly { readonly code: string }[] }[]
}

/** Reports events to a timeline; returns the codes of refusals. The codes may be logged, the input may not. */
export async function refusalsOf(
  context: Context,
  document: { readonly profile: string; readonly subject: object; readonly events: readonly object[] },
): Promise<readonly string[]> {
  const { data } = (await call(otepIngest, context, { document })) as { readonly data: Ingested }
  return data.events.flatMap(({ errors = [] }) => errors.map(({ code }) => code))
}
