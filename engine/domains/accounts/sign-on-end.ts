import type { Context } from '../../kernel/context.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ProviderLogout, SignedOnPerson } from '../../kernel/single-sign-on.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { SignOn } from './sign-on/setting.ts'

/** Sign-ins of one session, or of one person, that began by `latest` are over. */
export type SignOnEndEvent = Event<
  'SignOnEnded',
  { readonly at: string; readonly business_id: number; readonly latest: string }
>

/** A provider of a business. */
type Provider = Pick<SignOn, 'business_id' | 'issuer'>

function streamOf({ credentials }: Context, { business_id, issuer }: Provider, name: string): StreamName {
  return `sign_on_end-${credentials.blind(`sign-on end\0${business_id}\0${issuer}\0${name}`)}`
}

const names = {
  session: (session: string) => `session\0${session}`,
  all: (subject: string) => `all\0${subject}`,
  withoutSession: (subject: string) => `without session\0${subject}`,
}

async function latestEnd({ store }: Context, stream: StreamName): Promise<RecordedEvent<SignOnEndEvent> | undefined> {
  const [last] = await store.read(stream, { backwards: true, limit: 1 })
  return last as RecordedEvent<SignOnEndEvent> | undefined
}

/**
 * Records that the sign-ins are over which a provider means and which began by `latest`, so that none that waits for its second
 * step is finished: such a sign-in is kept nowhere, and only its ticket knows of it. One without a `sid` is over with any of its person.
 */
export async function recordEnd(
  context: Context,
  provider: Provider,
  { subject, session }: ProviderLogout,
  latest: string,
): Promise<void> {
  const { business_id } = provider
  const meant = [
    ...(session === undefined ? [] : [names.session(session)]),
    ...(subject === undefined ? [] : [session === undefined ? names.all(subject) : names.withoutSession(subject)]),
  ]
  for (const name of meant) {
    const stream = streamOf(context, provider, name)
    await retryOnConflict(async () => {
      const last = await latestEnd(context, stream)
      if (last !== undefined && last.data.latest >= latest) return
      const ended: SignOnEndEvent = { type: 'SignOnEnded', data: { at: isoOf(context.clock()), business_id, latest } }
      await context.store.append(stream, [ended].map(toNewEvent(context)), last?.revision ?? 'no-stream')
    })
  }
}

/** Whether the provider of a business has said that a sign-in is over which began then. */
export async function isEnded(
  context: Context,
  business_id: number,
  { issuer, subject, session }: Pick<SignedOnPerson, 'issuer' | 'subject' | 'session'>,
  begunAt: string,
): Promise<boolean> {
  const own = session === undefined ? names.withoutSession(subject) : names.session(session)
  for (const name of [names.all(subject), own]) {
    const last = await latestEnd(context, streamOf(context, { business_id, issuer }, name))
    if (last !== undefined && begunAt <= last.data.latest) return true
  }
  return false
}
