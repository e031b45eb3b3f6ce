import * as v from 'valibot'
import { businessCallerOf, idFrom, ofBusinessAndProvider } from '../../entity/access.ts'
import { type Entity, everybody, type Fields, nobody } from '../../entity/field.ts'
import {
  instant as anyInstant,
  distinct,
  id,
  recordedInstant as instant,
  number,
  providerName,
  word,
} from '../../kernel/schemas.ts'
import { type Attempts, afterWrongCode, noAttempts } from '../../kernel/short-code.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { moves, parties, statuses } from './moves.ts'
import {
  type Compartment,
  compartmentList,
  compartmentsInput,
  failedParcelList,
  failedParcelsInput,
  maxParts,
  type Opened,
  openedList,
  parcelList,
  parcelsInput,
  withDoors,
  withOpened,
} from './parts.ts'

/** The decisions that hold for most fields: neither personal nor a price, and shown to everybody who may see the delivery. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'all',
  setBy: everybody,
  shownTo: everybody,
} as const

/** The decisions for what only the engine reads. */
const hidden = { ...shown, shownTo: nobody, webhooks: 'none' } as const

/** The decisions for what webhook events show of the event that they report, beside the delivery. */
const block = { ...hidden, beside: true } as const

/** The input of an instant: with any offset from UTC. */
const instantInput = { type: anyInstant, stored: (input: string) => isoOf(instantOf(input)) }

const attempts = v.strictObject({ failures: v.number(), locked_until: v.number() })
const wrongCode = {
  of: ({ at }: { at: string }, before: { attempts: Attempts }) => afterWrongCode(before.attempts, at),
}

const oneMore = { of: (_: object, before: { openings: number }) => before.openings + 1 }

const codeHash = { of: ({ code_hash }: { code_hash: string }) => code_hash }

type Reopening = { readonly grid_ids: readonly number[] }
type Deposit = { readonly compartments: readonly Opened[] }

const example = { grid_id: 31, compartment_number: 7, pickup_locker_number: 3, pickup_locker_code: 'A-3' }

const orderOfBusiness = idFrom('order', 'order_not_found', (context, order) =>
  context.ports.partnerLockers.isOrderOf(context, businessCallerOf(context).businessId, order),
)

const fields = {
  delivery_id: {
    ...shown,
    about: 'Id of the locker delivery.',
    type: id,
    example: 17,
    set: { create: 'engine' },
    listed: 'column',
    shownAs: 'id',
  },
  business_id: {
    ...hidden,
    about: 'Id of the business whose locker it is.',
    type: id,
    example: 1,
    set: { create: 'engine' },
    listed: 'key',
  },
  provider: {
    ...shown,
    about: 'Name of the partner’s provider account. A partner leaves it out, or gives its own.',
    type: providerName,
    example: 'acme',
    set: { create: 'defaulted' },
    listed: 'filter',
  },
  status: {
    ...shown,
    about: 'Status of the delivery.',
    type: v.picklist(Object.keys(statuses)),
    example: 'opened',
    set: {},
    listed: 'filter',
  },
  mock: {
    ...shown,
    about: 'Whether the cabinet is a mock one: its events are those of the sandbox.',
    type: v.boolean(),
    example: false,
    set: { create: 'defaulted' },
    listed: 'column',
  },
  device_id: {
    ...shown,
    about: 'Id of the locker.',
    type: number,
    example: 4,
    set: { create: 'required' },
    listed: 'filter',
  },
  device_name: {
    ...shown,
    about: 'Name of the locker.',
    type: word(200),
    example: 'Locker Main St',
    set: { create: 'required' },
    listed: 'column',
  },
  order_id: {
    ...shown,
    about: 'Id of the order of the business that it belongs to.',
    type: id,
    example: 42,
    set: { create: 'optional' },
    names: orderOfBusiness,
    listed: 'filter',
  },
  parcels: {
    ...shown,
    about: 'The parcels of the delivery.',
    type: parcelList,
    input: { type: parcelsInput, stored: (input: object) => input },
    example: [{ reference_number: 'AC-1' }],
    set: { create: 'required' },
  },
  delivery_expires_at: {
    ...shown,
    about: 'Until when the courier’s access code works: ISO 8601; webhook events have it in UTC.',
    type: instant,
    input: instantInput,
    example: '2026-06-10T18:00:00.000Z',
    set: { create: 'required' },
    listed: 'column',
  },
  pickup_expires_at: {
    ...shown,
    about:
      'Until when the deposit can be collected, which is after delivery_expires_at: ISO 8601; webhook events have it in UTC.',
    type: instant,
    input: instantInput,
    example: '2026-06-13T18:00:00.000Z',
    set: { create: 'required', confirm: 'repeated' },
    listed: 'column',
  },
  opened_at: {
    ...shown,
    about: 'When doors were first opened: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T10:00:00.000Z',
    set: { allocate_code: 'now' },
    listed: 'column',
  },
  delivered_at: {
    ...shown,
    about: 'When the deposit was last confirmed: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T10:02:00.000Z',
    set: { confirm: 'now' },
    listed: 'column',
  },
  ended_at: {
    ...shown,
    about: 'When it was collected, failed, expired or was cancelled: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T18:00:00.000Z',
    set: { collect: 'now', fail: 'now', cancel: 'now', expire: 'now' },
    listed: 'column',
  },
  due_at: {
    ...hidden,
    about: 'When it expires, unless something happens before.',
    type: instant,
    example: '2026-06-10T18:00:00.000Z',
    set: {
      create: { of: (data: { delivery_expires_at: string }) => data.delivery_expires_at },
      confirm: { of: (data: { pickup_expires_at: string }) => data.pickup_expires_at },
      open: 'cleared',
      reopen: 'cleared',
      collect: 'cleared',
      fail: 'cleared',
      cancel: 'cleared',
      expire: 'cleared',
    },
    listed: 'key',
  },
  correction_minutes: {
    ...hidden,
    about: 'How long after the first confirmation doors can be opened again, in minutes; 15 where absent.',
    type: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1440)),
    example: 15,
    set: { create: 'defaulted' },
  },
  correctable_until: {
    ...hidden,
    about: 'Until when doors of the deposit can be opened again.',
    type: instant,
    example: '2026-06-10T10:17:00.000Z',
    set: {
      confirm: {
        of: ({ at }: { at: string }, before: { correctable_until?: string; correction_minutes: number }) =>
          before.correctable_until ?? isoOf(instantOf(at) + before.correction_minutes * 60_000),
      },
    },
  },
  compartments: {
    ...shown,
    about: 'The compartments that were opened for it, and whether their doors are open.',
    type: openedList,
    example: [],
    set: {
      create: { is: [] },
      open: {
        input: compartmentsInput,
        about: 'The compartments that were opened.',
        example: [example],
        of: (data: { compartments: readonly Compartment[] }, before: Deposit) =>
          withOpened(before.compartments, data.compartments),
      },
      close_door: {
        of: ({ grid_id }: { grid_id: number }, before: Deposit) => withDoors(before.compartments, [grid_id], false),
      },
      reopen: { of: ({ grid_ids }: Reopening, before: Deposit) => withDoors(before.compartments, grid_ids, true) },
    },
    webhooks: 'none',
    beside: true,
  },
  packages: {
    ...shown,
    about: 'The parcels of a delivery that failed, and why each of them did.',
    type: failedParcelList,
    input: { type: failedParcelsInput, stored: (input: object) => input },
    example: [{ reference_number: 'AC-1', failure_code: 'too_large' }],
    set: { create: { is: [] }, fail: 'required' },
    webhooks: ['partner_locker.delivery.failed'],
    beside: true,
  },
  access_code_hash: {
    ...hidden,
    about: 'Keyed hash of the courier’s access code, for this delivery alone.',
    type: v.string(),
    example: 'hash',
    set: { create: 'engine', rotate_access: codeHash },
  },
  pickup_code_hash: {
    ...hidden,
    about: 'Keyed hash of the recipient’s pickup code, for this delivery alone.',
    type: v.string(),
    example: 'hash',
    set: { allocate_code: codeHash, rotate_pickup: codeHash },
  },
  pickup_code: {
    ...block,
    about: 'For the recipient: it works once the deposit is confirmed. Missing once another code has replaced it.',
    type: v.pipe(v.string(), v.maxLength(20)),
    example: '048213',
    set: { allocate_code: 'engine', rotate_pickup: 'cleared' },
    personal: true,
    webhooks: ['partner_locker.delivery.doors_opened'],
  },
  attempts: {
    ...hidden,
    about: 'Wrong codes that were given in a row.',
    type: attempts,
    example: noAttempts,
    set: {
      create: { is: noAttempts },
      open: { is: noAttempts },
      confirm: { is: noAttempts },
      rotate_access: { is: noAttempts },
      rotate_pickup: { is: noAttempts },
      refuse_access: wrongCode,
      refuse_pickup: wrongCode,
    },
  },
  openings: {
    ...hidden,
    about: 'How often doors were opened, or a code was replaced.',
    type: v.number(),
    example: 1,
    set: { create: { is: 0 }, open: oneMore, reopen: oneMore, rotate_access: oneMore, rotate_pickup: oneMore },
  },
  last_opened_at: {
    ...block,
    about: 'When the doors were opened: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T10:00:00.000Z',
    set: { open: 'now' },
    shownAs: 'opening.opened_at',
    webhooks: ['partner_locker.delivery.doors_opened'],
  },
  opened_by: {
    ...block,
    about: 'How the doors were opened: on the screen of the locker with the access code, or remotely.',
    type: v.picklist(['locker_screen', 'remote_open']),
    example: 'locker_screen',
    set: { open: 'engine', reopen: { is: 'remote_open' } },
    shownAs: 'opening.opened_by',
    webhooks: ['partner_locker.delivery.doors_opened'],
  },
  last_opened: {
    ...block,
    about: 'The compartments that were opened.',
    type: compartmentList,
    example: [example],
    set: { open: { of: ({ compartments }: { compartments: readonly Compartment[] }) => compartments } },
    always: true,
    shownAs: 'opening.compartments',
    webhooks: ['partner_locker.delivery.doors_opened'],
  },
  confirmed_by: {
    ...block,
    about:
      'How it was confirmed; where absent, partner_api for a partner and console for an account. A partner can only give partner_api. timeout_door_closed requires all doors to be closed. door_close: the last of the doors was closed.',
    type: v.picklist(['courier_terminal', 'partner_api', 'timeout_door_closed', 'console', 'door_close']),
    input: {
      type: v.picklist(['courier_terminal', 'partner_api', 'timeout_door_closed', 'console']),
      stored: (input: string) => input,
    },
    example: 'courier_terminal',
    set: { confirm: 'defaulted' },
    webhooks: ['partner_locker.delivery.delivered'],
  },
  collected_at: {
    ...block,
    about: 'When the parcels were collected: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T18:00:00.000Z',
    set: { collect: 'now' },
    shownAs: 'pickup.completed_at',
    webhooks: ['partner_locker.pickup.completed'],
  },
  with_code: {
    ...block,
    about: 'Whether the pickup code was given; else staff handed the parcels out.',
    type: v.boolean(),
    example: true,
    set: { collect: 'engine' },
    shownAs: 'pickup.with_code',
    webhooks: ['partner_locker.pickup.completed'],
  },
  expired: {
    ...block,
    about: 'What expired: the unused access code, or the deposit.',
    type: v.picklist(['delivery_code', 'deposit']),
    example: 'delivery_code',
    set: { expire: 'engine' },
    shownAs: 'expiry.expired',
    webhooks: ['partner_locker.delivery.expired'],
  },
  expired_at: {
    ...block,
    about: 'When the expiry was recorded: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T18:00:00.000Z',
    set: { expire: 'now' },
    shownAs: 'expiry.expired_at',
    webhooks: ['partner_locker.delivery.expired'],
  },
  reopened_at: {
    ...block,
    about: 'When the doors were opened again: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T10:05:00.000Z',
    set: { reopen: 'now' },
    shownAs: 'correction.reopened_at',
    webhooks: ['partner_locker.delivery.correction_reopened'],
  },
  reopened: {
    ...block,
    about: 'The compartments that were opened again.',
    type: compartmentList,
    example: [example],
    set: {
      reopen: {
        of: ({ grid_ids }: Reopening, { compartments }: Deposit) =>
          compartments.filter(({ grid_id }) => grid_ids.includes(grid_id)).map(({ is_open, ...one }) => one),
      },
    },
    always: true,
    shownAs: 'correction.compartments',
    webhooks: ['partner_locker.delivery.correction_reopened'],
  },
  code: {
    ...block,
    about: 'Which code is replaced: access is that of the courier, pickup that of the recipient.',
    type: v.picklist(['access', 'pickup']),
    example: 'pickup',
    set: { rotate_access: 'engine', rotate_pickup: 'engine' },
    shownAs: 'rotation.code',
    webhooks: ['partner_locker.delivery.code_rotated'],
  },
  replaced_at: {
    ...block,
    about: 'When the code was replaced: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T10:30:00.000Z',
    set: { rotate_access: 'now', rotate_pickup: 'now' },
    shownAs: 'rotation.replaced_at',
    webhooks: ['partner_locker.delivery.code_rotated'],
  },
  recipient_notified: {
    ...block,
    about: 'Whether the partner tells the recipient the new code; false where absent.',
    type: v.boolean(),
    example: true,
    set: { rotate_access: 'defaulted', rotate_pickup: 'defaulted' },
    shownAs: 'rotation.recipient_notified',
    webhooks: ['partner_locker.delivery.code_rotated'],
  },
  /** What events record so that other fields follow from it. */
  code_hash: {
    ...hidden,
    about: 'Keyed hash of the new code.',
    type: v.string(),
    example: 'hash',
    set: { allocate_code: 'engine', rotate_access: 'engine', rotate_pickup: 'engine' },
  },
  grid_id: {
    ...hidden,
    about: 'Id of the compartment whose door was closed.',
    type: number,
    example: 31,
    set: { close_door: 'required' },
  },
  grid_ids: {
    ...hidden,
    about: 'The compartments, which were opened for this delivery before.',
    type: v.pipe(v.array(number), v.minLength(1), v.maxLength(maxParts), distinct()),
    example: [31],
    set: { reopen: 'required' },
  },
} as const satisfies Fields<keyof typeof moves>

/** Parcels that a partner carrier delivers into a locker of the business. */
export const lockerDelivery = {
  category: 'locker_delivery',
  noun: 'locker delivery',
  id: 'delivery_id',
  statuses,
  moves,
  fields,
  missing: 'null',
  access: ofBusinessAndProvider,
  listVersion: 2,
  refusals: { missing: 'locker_delivery_not_found', forbidden: 'locker_delivery_status_forbids', param: 'delivery' },
  indexes: [['business_id', 'status'], ['due_at']],
  api: {
    tag: 'Partner Lockers',
    path: '/api/v1/partner-lockers/deliveries',
    one: 'locker_delivery',
    many: 'locker_deliveries',
    read: { scope: 'partner_lockers:read', by: parties },
    write: { scope: 'partner_lockers:write' },
    list: {
      operation: 'list_locker_deliveries',
      summary: 'Locker deliveries of the partners of the business, or those of the partner that calls, newest first.',
    },
    get: {
      operation: 'get_locker_delivery',
      summary: 'One locker delivery with its compartments and, if it failed, why. It contains no code.',
    },
  },
} as const satisfies Entity
