import {
  type Caller,
  type Context,
  endNews,
  type News,
  newsOf,
  noteTold,
  type Policy,
  type StreamName,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log } from '../node/log.ts'
import type { Mail, MailMessage } from '../node/mail.ts'
import { isPutOffForLong } from './put-off.ts'
import { contextAfter } from './report.ts'

const name = 'news-mails'

const caller: Caller = { kind: 'operator', name, scopes: [] }

/** Writes the e-mail with news for one person. */
export type WriteNews = (context: Context, news: News) => Promise<MailMessage>

/**
 * Sends the news of a timeline to those who asked for them. What could not be sent is sent again, and an address that the
 * mail server refuses for good gets no more. One that it puts off for long is told with what happens next.
 */
export function newsMails(parts: ContextParts, mail: Mail, write: WriteNews, log: Log): Policy {
  return {
    name,
    filter: { category: 'tracking', opens: () => false },
    from: 'end',
    handle: async (event) => {
      const context = contextAfter(parts, caller, event)
      let failure: unknown
      for await (const news of newsOf(context, event.stream as StreamName))
        try {
          const refused = await mail.send(await write(context, news))
          if (refused === undefined) await noteTold(context, news)
          else {
            log.warn({ policy: name, position: event.position, refused }, 'news of a timeline were refused')
            await endNews(context, news.id, 'refused')
          }
        } catch (error) {
          // The others are told first, and then this one is tried again.
          if (!isPutOffForLong(error, event, parts.clock())) failure ??= error
          else log.warn({ policy: name, position: event.position, ...errorFields(error) }, 'news were put off for long')
        }
      if (failure !== undefined) throw failure
    },
  }
}
