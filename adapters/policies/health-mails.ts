import { healthMailOf, healthMailTypes, instantOf, type Policy } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log } from '../node/log.ts'
import type { Mail } from '../node/mail.ts'
import { isPutOffForLong } from './put-off.ts'

/** Milliseconds after which news of the health of an endpoint is no longer worth an e-mail. */
const worthwhile = 24 * 3_600_000

/**
 * Sends e-mails about endpoints that fail, are switched off or have recovered. What could not be sent is sent again for a day;
 * what the server puts off for its addresses, for a quarter of an hour, because others wait for it.
 */
export function healthMails(parts: ContextParts, mail: Mail, log: Log): Policy {
  return {
    name: 'health-mails',
    filter: { category: 'webhook', opens: () => false },
    from: 'end',
    handle: async (event) => {
      if (!healthMailTypes.includes(event.type)) return
      const { at } = event.data as { readonly at: string }
      if (parts.clock() - instantOf(at) > worthwhile) {
        log.warn({ event: event.id }, 'an e-mail about a webhook URL is too old to be sent')
        return
      }
      const message = await healthMailOf(parts, event)
      if (message === undefined) return
      try {
        const refused = await mail.send({ id: event.id, ...message })
        if (refused !== undefined) log.warn({ event: event.id, refused }, 'an e-mail about a webhook URL was refused')
      } catch (error) {
        if (!isPutOffForLong(error, event, parts.clock())) throw error
        log.warn({ event: event.id, ...errorFields(error) }, 'an e-mail about a webhook URL was put off for long')
      }
    },
  }
}
