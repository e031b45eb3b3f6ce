import type { Catalogue } from '../kernel/catalogue.ts'
import type { Context, Ports } from '../kernel/context.ts'
import type { FindDue } from '../kernel/due.ts'
import type { EventShapes } from '../kernel/event-shape.ts'
import type { Operation } from '../kernel/operation.ts'
import type { OrderFamily } from '../kernel/order-family.ts'
import type { Payable } from '../kernel/payable.ts'
import type { ModelFeed, ReadModel } from '../kernel/read-model.ts'
import type { Upcasts } from '../kernel/upcast.ts'
import type { WebhookEventSource, WebhookEventType } from '../kernel/webhook-event.ts'
import type { Table } from './field.ts'

/** Something that changes its state when its time comes. */
export interface Deadline {
  /** What is due, as the log calls it. */
  readonly name: string
  /** Items due before an instant (epoch milliseconds), with ids after `after`, in order of id. */
  readonly due: FindDue
  /** Records that the time has come; does nothing if it has not, or if another node was faster. */
  readonly pass: (context: Context, id: number, signal: AbortSignal) => Promise<unknown>
  /** Milliseconds within which what comes up meanwhile is noticed, where an index answers that; half a minute where absent. */
  readonly within?: number
  /** What may take long, so that nothing else waits for it: questions to carriers, and pools that are looked at one by one. */
  readonly apart?: 'carriers' | 'pools'
}

/** What a domain gives to others: by the name of the domain that needs it, and there as that one declares it in its `ports.ts`. */
export type Gives = { readonly [Name in keyof Ports]?: Partial<Ports[Name]> }

/** A domain that gives this to others. */
export type Giving<Given extends Gives> = Domain & { readonly gives: Given }

/** A part of the business: everything about it is in one literal, and all lists of the engine are read from these. */
export interface Domain {
  readonly name: string
  readonly operations: readonly Operation[]
  /** The tables of its entities. */
  readonly tables?: readonly Table[]
  /** The messages of its refusals and findings in English, by their kind. */
  readonly messages?: readonly Catalogue[]
  /** The shapes of its events by their type, by stream category. */
  readonly events: Readonly<Record<string, EventShapes>>
  readonly readModels?: readonly ReadModel[]
  /** The rows of read models of other domains that its events set, by the name of the model. */
  readonly feeds?: Readonly<Record<string, ModelFeed>>
  /** The family of orders that it is about. */
  readonly orderFamily?: OrderFamily
  /** The family of orders that is paid. */
  readonly payable?: Payable
  readonly gives?: Gives
  readonly deadlines?: readonly Deadline[]
  /** Upcasts for events of earlier versions. */
  readonly upcasts?: Upcasts
  /** What erases what it knows of a person whose account is erased. */
  readonly erasePerson?: Ports['accounts']['erasures']
  /** Event types that erase the personal data of their stream: once one is recorded, the stream's key is destroyed. */
  readonly erasures?: readonly string[]
  /**
   * Events that the security log tells of where an operator caused them: the names of its entries by event type. The
   * operations of other callers say themselves what it tells (`Operation.audited`).
   */
  readonly audited?: Readonly<Record<string, string>>
  /** The types of its webhook events. */
  readonly webhookEventTypes?: readonly WebhookEventType[]
  /** What makes webhook events from its recorded events. */
  readonly webhookEventSources?: readonly WebhookEventSource[]
}
