import type { Language } from '../../kernel/catalogue.ts'
import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** What somebody who gets news has received about a timeline. */
export interface Told {
  readonly status?: string
  readonly estimate?: string
}

/** Why nobody gets these news any more. */
export type EndReason = 'unsubscribed' | 'finished' | 'erased' | 'replaced' | 'refused'

/** Somebody confirmed an address that is to get news of a timeline. Nothing is recorded before. */
export type NewsSubscriptionConfirmed = Event<
  'NewsSubscriptionConfirmed',
  {
    readonly at: string
    readonly timeline: StreamName
    /** The number of the page that they asked on. */
    readonly number: string
    readonly language: Language
    /** What the page told them then. */
    readonly told: Told
    /** When it ends by itself. */
    readonly ends_at: string
    /** The address, and its keyed hash, by which those of one address are counted. Both end with the key of the stream. */
    readonly personal?: { readonly email: string; readonly address: string }
  }
>

/** What has been reported by now; `mailed` is false for news that was too old to be sent. */
export type NewsTold = Event<
  'NewsTold',
  { readonly at: string; readonly told: Told; readonly mailed: boolean; readonly ends_at: string }
>

/** The mail server did not take the news for this address; they are offered again at a time. */
export type NewsPutOff = Event<'NewsPutOff', { readonly at: string; readonly again_at: string }>

/** The time has come to offer again what was put off. */
export type NewsDue = Event<'NewsDue', { readonly at: string }>

/** The subscription ended, and with it the key of the address. */
export type NewsSubscriptionEnded = Event<'NewsSubscriptionEnded', { readonly at: string; readonly reason: EndReason }>

/** The events of a subscription's stream. */
export type NewsEvent = NewsSubscriptionConfirmed | NewsTold | NewsPutOff | NewsDue | NewsSubscriptionEnded
