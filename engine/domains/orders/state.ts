import type { Reducer } from '../../kernel/decider.ts'
import { lessOf, sumOf } from '../../kernel/money.ts'
import type { OrderCreated, OrderEvent, OrderType, Party, Price, TimeWindow } from './events.ts'
import type { Status } from './status.ts'

/** An order as its facts have it. */
export interface Order {
  readonly order_id: number
  readonly business_id: number
  readonly customer_id?: number | undefined
  readonly type: OrderType
  readonly status: Status
  readonly tracking_number: string
  readonly external_tracking_number?: string | undefined
  readonly reference?: string | undefined
  readonly schedule_date?: string | undefined
  readonly time_window?: TimeWindow | undefined
  readonly items: number
  readonly price?: Price | undefined
  /** What is paid and was not given back: decimal text, in the currency of the price. */
  readonly paid: string
  /** What was given back. */
  readonly refunded: string
  readonly source: OrderCreated['data']['source']
  readonly replaces?: number | undefined
  readonly replaced_by?: number | undefined
  readonly created_at: string
  readonly created_by: number | null
  readonly updated_at: string
  readonly ready_at?: string | undefined
  readonly driver_id?: number | undefined
  /** The third-party carrier that has it. */
  readonly provider?: string | undefined
  readonly route_id?: number | undefined
  readonly stop?: number | undefined
  readonly assignment_id?: number | undefined
  readonly broker_id?: number | undefined
  readonly pickup?: Party | undefined
  readonly delivery?: Party | undefined
  readonly delivery_instruction?: string | undefined
  readonly note?: string | undefined
  /** What it tells of people was erased. */
  readonly isErased: boolean
  readonly is_deleted: boolean
}

/** Nothing before the order was created. */
export type OrderState = Order | undefined

/** What changes nothing here: what proves the work on an order is read of its facts where it is asked for. */
const apart = [
  ...(['OrderCancelRefused', 'ProofFileAdded', 'ProofFileReplaced'] as const),
  ...(['ProofFileRestored', 'ProofFileRemoved'] as const),
]

type Apart = Extract<OrderEvent, { readonly type: (typeof apart)[number] }>

function isApart(event: OrderEvent): event is Apart {
  return (apart as readonly string[]).includes(event.type)
}

/** What follows from a fact about an order. */
export const evolve: Reducer<OrderState, OrderEvent> = (state, event) => {
  if (event.type === 'OrderCreated') return created(event.data)
  if (state === undefined) return state
  return { ...state, ...(isApart(event) ? {} : changed(event, state)), updated_at: event.data.at }
}

function created({ personal, ...data }: OrderCreated['data']): Order {
  return {
    order_id: data.order_id,
    business_id: data.business_id,
    customer_id: data.customer_id,
    type: data.type,
    status: data.to,
    tracking_number: data.tracking_number,
    external_tracking_number: data.external_tracking_number,
    reference: data.reference,
    schedule_date: data.schedule_date,
    time_window: data.time_window,
    items: data.items,
    price: data.price,
    paid: '0.00',
    refunded: '0.00',
    source: data.source,
    replaces: data.replaces,
    created_at: data.at,
    created_by: data.by,
    updated_at: data.at,
    pickup: personal?.pickup,
    delivery: personal?.delivery,
    delivery_instruction: personal?.delivery_instruction,
    note: personal?.note,
    isErased: false,
    is_deleted: false,
  }
}

function changed(fact: Exclude<OrderEvent, OrderCreated | Apart>, { paid, refunded }: Order): Partial<Order> {
  switch (fact.type) {
    case 'OrderHeld':
    case 'OrderReleased':
    case 'OrderAccepted':
    case 'OrderPickupStarted':
    case 'OrderPickedUp':
    case 'OrderOnTheWay':
    case 'OrderCompleted':
    case 'OrderFailed':
    case 'OrderReturned':
    case 'OrderDeliveredByCarrier':
      return { status: fact.data.to }
    case 'OrderAssigned':
      return { status: fact.data.to, driver_id: fact.data.driver_id }
    case 'OrderUnassigned':
    case 'OrderRejected':
      return { status: fact.data.to, driver_id: undefined }
    case 'OrderCancelled':
      return { status: fact.data.to, replaced_by: fact.data.replaced_by }
    case 'OrderHandedToCarrier':
      return { status: fact.data.to, provider: fact.data.provider }
    case 'OrderTakenBack':
      return { status: fact.data.to, provider: undefined }
    case 'OrderReady':
      return { ready_at: fact.data.at }
    case 'OrderPlanned':
      return { route_id: fact.data.route_id, stop: fact.data.stop }
    case 'OrderTakenOffRoute':
      return { route_id: undefined, stop: undefined }
    case 'OrderScheduleChanged':
      return { schedule_date: fact.data.to.schedule_date, time_window: fact.data.to.time_window }
    case 'DeliveryInstructionChanged':
      return { delivery_instruction: fact.data.personal?.to }
    case 'OrderNoteChanged':
      return { note: fact.data.personal?.to }
    case 'OrderPaid':
      return { paid: sumOf([paid, fact.data.amount]) }
    case 'OrderRefunded':
      return { paid: lessOf(paid, fact.data.amount), refunded: sumOf([refunded, fact.data.amount]) }
    case 'ContractorAssigned':
      return { assignment_id: fact.data.assignment_id, broker_id: fact.data.broker_id }
    case 'ContractorRevoked':
    case 'ContractorReleased':
      return { assignment_id: undefined, broker_id: undefined }
    case 'OrderDeleted':
      return { is_deleted: true }
    case 'OrderPersonalDataErased':
      return {
        pickup: undefined,
        delivery: undefined,
        delivery_instruction: undefined,
        note: undefined,
        isErased: true,
      }
    default: {
      // An event of a later version changes nothing here.
      void (fact satisfies never)
      return {}
    }
  }
}
