import type { Facts } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { numberKey } from '../../kernel/number-key.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'

interface Told {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly tracking_number: string
}

/** The parcel of a label is followed. Its number is of no other label, until long after its way is over. */
type LabelNumberFollowed = Event<
  'LabelNumberFollowed',
  Told & {
    readonly order_id: number
    readonly business_id: number
    readonly carrier_account_id: number
    readonly carrier: string
  }
>

/** The carrier told of something that happened later than all that it had told before. */
type LabelNumberReported = Event<
  'LabelNumberReported',
  Told & { readonly status_code: string; readonly occurred_at: string; readonly is_over: boolean }
>

/** The carrier is not listened to any more: the label is voided, or old. */
type LabelNumberLeft = Event<'LabelNumberLeft', Told>

/** The events of the number of a label. */
type LabelNumberEvent = LabelNumberFollowed | LabelNumberReported | LabelNumberLeft

/** The shapes of these events. */
export const labelNumberEventShapes: ShapesOf<LabelNumberEvent> = {
  LabelNumberFollowed: {
    at: 'text',
    tracking_number: 'text',
    order_id: 'number',
    business_id: 'number',
    carrier_account_id: 'number',
    carrier: 'text',
  },
  LabelNumberReported: {
    at: 'text',
    tracking_number: 'text',
    status_code: 'text',
    occurred_at: 'text',
    is_over: 'flag',
  },
  LabelNumberLeft: { at: 'text', tracking_number: 'text' },
}

/** A tracking number whose parcel is followed, or was. */
export interface FollowedNumber {
  readonly followed: LabelNumberFollowed['data']
  /** The latest of what the carrier told. */
  readonly last?: Pick<LabelNumberReported['data'], 'status_code' | 'occurred_at'>
  /** Whether the parcel has arrived, or never will. The carrier is not asked any more, but may still tell. */
  readonly isOver: boolean
  /** Whether the carrier is not listened to any more. */
  readonly isLeft: boolean
}

/** Milliseconds after which a carrier is not listened to any more, and may give the number to another parcel. */
export const longestWay = 180 * 86_400_000

type Command =
  | ({ readonly type: 'Follow' } & LabelNumberFollowed['data'])
  | ({ readonly type: 'Report' } & Omit<LabelNumberReported['data'], 'tracking_number'>)
  | { readonly type: 'Leave'; readonly at: string }

/** The decider of the number of a label. A repeated command changes nothing. */
export const followedNumbers: Decider<FollowedNumber | undefined, Command, LabelNumberEvent> = {
  initial: () => undefined,
  evolve: (before, { type, data }) => {
    if (type === 'LabelNumberFollowed') return { followed: data, isOver: false, isLeft: false }
    if (before === undefined) return undefined
    if (type === 'LabelNumberLeft') return { ...before, isOver: true, isLeft: true }
    const { status_code, occurred_at, is_over: isOver } = data
    return { ...before, last: { status_code, occurred_at }, isOver }
  },
  decide: (command, before) => {
    if (command.type === 'Follow') {
      const { type: _, ...data } = command
      return before === undefined || isFree(before, data.at) ? [{ type: 'LabelNumberFollowed', data }] : []
    }
    if (before === undefined || before.isLeft) return []
    const { tracking_number } = before.followed
    if (command.type === 'Leave') return [{ type: 'LabelNumberLeft', data: { at: command.at, tracking_number } }]
    const { type: _, ...told } = command
    if (!isNews(told, before)) return []
    const is_over = before.isOver || told.is_over
    return [{ type: 'LabelNumberReported', data: { ...told, tracking_number, is_over } }]
  },
}

function isFree({ followed, isOver }: FollowedNumber, at: string): boolean {
  return isOver && Date.parse(at) - Date.parse(followed.at) > longestWay
}

function isNews(
  { status_code, occurred_at }: Pick<LabelNumberReported['data'], 'status_code' | 'occurred_at'>,
  { last }: FollowedNumber,
): boolean {
  if (last === undefined) return true
  const later = Date.parse(occurred_at) - Date.parse(last.occurred_at)
  return later > 0 || (later === 0 && status_code !== last.status_code)
}

/** The stream of the number of a label. */
export function labelNumberStream(trackingNumber: string): StreamName {
  return `label_number-${encodeURIComponent(numberKey(trackingNumber))}`
}

/** A tracking number that is followed, or was; undefined for others. */
export async function followedNumber(
  { store }: Pick<Facts, 'store'>,
  trackingNumber: string,
): Promise<FollowedNumber | undefined> {
  const history = await store.read(labelNumberStream(trackingNumber))
  return fold(followedNumbers, history as readonly RecordedEvent<LabelNumberEvent>[])
}

/** The numbers whose carriers are asked by and by, and when each last told something new. */
export const followedNumberModel = {
  name: 'followed_numbers',
  version: 1,
  category: 'label_number',
  columns: { tracking_number: 'text', carrier_account_id: 'integer', is_followed: 'integer', news_at: 'text' },
  key: ['tracking_number'],
  indexes: [['is_followed', 'news_at']],
  opens: () => false,
  rows: (recorded) => {
    const { type, data } = recorded as RecordedEvent<LabelNumberEvent>
    const { tracking_number, at: news_at } = data
    switch (type) {
      case 'LabelNumberFollowed':
        return [{ tracking_number, carrier_account_id: data.carrier_account_id, is_followed: 1, news_at }]
      case 'LabelNumberReported':
        return [{ tracking_number, is_followed: data.is_over ? 0 : 1, news_at }]
      case 'LabelNumberLeft':
        return [{ tracking_number, is_followed: 0 }]
      default:
        return []
    }
  },
} as const satisfies ReadModel
