import { healthMailOf, healthMailTypes, instantOf, type Policy } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log } from '../node/log.ts'
import { isDeferred, type Mail } from '../node/mail.ts'

/** Milliseconds after which news of the health of an endpoint is no longer worth an e-mail. */
const worthwhile = 24 * 3_600_000

/**
 * Milliseconds for which all e-mails wait for an address that the server puts off: longer than servers put off a sender that
 * they do not know.
 */
const patience = 15 * 60_000

/**
 * Sends e-mails about endpoints that fail, are switched off or have recovered. What could not be sent is sent again for a day;
 * what the server puts off for an address, for a quarter of an hour, because others wait for it.
 */
export function healthMails(parts: ContextParts, mail: Mail, log: Log): Policy {
  /** The time without a server does not count as one in which it has put off an address. */
  let reachableSince = parts.clock()
  /** The addresses that are done with, of the event that is tried again. */
  let done = { event: '', addresses: new Set<string>() }

  function isPutOffForLong(error: unknown, recordedAt: string): boolean {
    const now = parts.clock()
    if (!isDeferred(error)) reachableSince = now
    return now - Math.max(instantOf(recordedAt), reachableSince) >= patience
  }

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
      if (done.event !== event.id) done = { event: event.id, addresses: new Set() }
      let failure: unknown
      for (const address of message.to.filter((one) => !done.addresses.has(one)))
        try {
          const refused = await mail.send({ id: event.id, ...message, to: [address] })
          if (refused !== undefined) log.warn({ event: event.id, refused }, 'an e-mail about a webhook URL was refused')
          done.addresses.add(address)
        } catch (error) {
          if (isPutOffForLong(error, event.recordedAt)) {
            log.warn({ event: event.id, ...errorFields(error) }, 'an e-mail about a webhook URL was put off for long')
            done.addresses.add(address)
          } else failure ??= error
        }
      // Those who could be reached are notified, and then the event is tried again.
      if (failure !== undefined) throw failure
    },
  }
}
