import {
  type Caller,
  type Context,
  endNews,
  type News,
  newsDueIn,
  newsOf,
  noteTold,
  type Policy,
  putOffNews,
  type RecordedEvent,
  type StreamName,
  subjectOfNews,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log } from '../node/log.ts'
import { isDeferred, type Mail, type MailMessage } from '../node/mail.ts'
import { contextAfter } from './report.ts'

/** Writes the e-mail with news for one person. */
export type WriteNews = (context: Context, news: News) => Promise<MailMessage>

/**
 * Sends the news of timelines to those who asked for them, and offers again what the mail server did not take for an address:
 * no other address waits for that. Without a mail server, all wait. An address that is not there gets no more.
 */
export function newsMails(parts: ContextParts, mail: Mail, write: WriteNews, log: Log): readonly [Policy, Policy] {
  /** Sends the news of a timeline, or those for one subscription. */
  async function tell(policy: string, event: RecordedEvent, timeline: StreamName, only?: number): Promise<void> {
    const caller: Caller = { kind: 'operator', name: policy, scopes: [] }
    const context = contextAfter(parts, caller, event)
    const { position } = event
    let failure: unknown
    for await (const news of newsOf(context, timeline, only))
      try {
        const refused = await mail.send(await write(context, news))
        if (refused === undefined) await noteTold(context, news)
        else {
          log.warn({ policy, position, refused }, 'an address is not there, and gets no more news')
          await endNews(context, news.id, 'refused')
        }
      } catch (error) {
        if (isDeferred(error)) {
          log.warn({ policy, position, ...errorFields(error) }, 'news were put off')
          await putOffNews(context, news)
        } else failure ??= error
      }
    // Those who could be reached are notified, and then the event is tried again.
    if (failure !== undefined) throw failure
  }

  return [
    {
      name: 'news-mails',
      filter: { category: 'tracking', opens: () => false },
      from: 'end',
      handle: (event) => tell('news-mails', event, event.stream as StreamName),
    },
    {
      name: 'news-again',
      filter: { category: 'news_subscription', opens: () => false },
      from: 'end',
      handle: async (event) => {
        const id = newsDueIn(event)
        const subject = id === undefined ? undefined : await subjectOfNews(parts, id)
        if (subject !== undefined) await tell('news-again', event, subject.timeline, id)
      },
    },
  ]
}
