import type { UrlField } from '../../../kernel/channel.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { Members } from '../../../kernel/members.ts'
import type { Announcement, Notice, Reader } from '../../../kernel/webhook-event.ts'
import type { OrderEvent } from '../events.ts'
import type { Order } from '../state.ts'

/** What an event of an order tells by one notice, before it is known who is told. */
export interface Telling extends Pick<Announcement, 'id' | 'data'> {
  readonly notice: Notice
  readonly skippedBy?: UrlField
}

/** What an event tells, and the order as it stood with it; nothing where the event is none of its own. */
export type Teller = (event: RecordedEvent<OrderEvent>, order: Order) => readonly Telling[]

/** What is told by a notice: its data has the form that the notice says. */
export function telling(notice: Notice, id: string, data: (reader: Reader) => Members): Telling {
  return { notice, id, data }
}
