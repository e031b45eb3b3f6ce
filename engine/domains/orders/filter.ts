import * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import type { Field } from '../../entity/field.ts'
import { families } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { endOfDay, startOfDay } from '../../kernel/days.ts'
import { searchKey } from '../../kernel/number-key.ts'
import { type Cell, type Condition, maxAmong, type Row } from '../../kernel/read-model.ts'
import { day, id, tag, word } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { anyBounds, dayBounds, lateBounds } from './due.ts'
import { visibleWhere } from './load.ts'
import { orderTable } from './order.ts'
import { statusFor } from './record.ts'
import { orderType } from './schema.ts'
import { type Status, statuses, statusNamed, statusText } from './status.ts'
import { tagModel } from './tag-model.ts'

/** What lists of orders can be narrowed by. */
export const filterEntries = {
  status: v.exactOptional(
    v.pipe(v.array(statusText), v.maxLength(20), v.description('Any of these statuses, by name or id.')),
  ),
  type: v.exactOptional(orderType),
  customer_id: v.exactOptional(id),
  driver_id: v.exactOptional(id),
  broker_id: v.exactOptional(v.pipe(id, v.description('The contractor who has it.'))),
  route_id: v.exactOptional(id),
  schedule_date: v.exactOptional(day),
  late: v.exactOptional(
    v.pipe(v.literal(true), v.description('Not ended, and its day, or its time window on that day, is over.')),
  ),
  undeliverable: v.exactOptional(
    v.pipe(v.literal(true), v.description('Failed, because the last attempt was refused, and not decided yet.')),
  ),
  unassigned: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description(
        'New, for today or earlier, and nobody has it: no driver, route, contractor or carrier. Not for customers.',
      ),
    ),
  ),
  reported: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description('Nobody has it, and a carrier that was not given it reports on its parcel. For staff.'),
    ),
  ),
  contradicting: v.exactOptional(
    v.pipe(
      v.literal(true),
      v.description(
        'Carriers report what cannot have happened to one parcel: another one may have its number. For staff.',
      ),
    ),
  ),
  date_from: v.exactOptional(
    v.pipe(day, v.description('Created on this day or later, in the time zone of the business.')),
  ),
  date_to: v.exactOptional(
    v.pipe(day, v.description('Created on this day or before, in the time zone of the business.')),
  ),
  reference: v.exactOptional(
    v.pipe(word(100), v.description('The whole reference, in any case, with or without spaces and dashes.')),
  ),
}

/** What a list can be narrowed by beside those. */
export const tagEntries = {
  tag: v.exactOptional(v.pipe(tag, v.description(`The ${maxAmong} newest orders of the business that have this tag.`))),
}

const filters = v.strictObject({ ...filterEntries, ...tagEntries, family: v.exactOptional(v.picklist(families)) })

/** What the ids in a filter name. */
export const filterIds = {
  customer_id: 'filter',
  driver_id: 'filter',
  broker_id: 'filter',
  route_id: 'filter',
} as const

/** The condition of the requested rows. Filters only narrow what the caller may see. */
export async function conditionOf(context: Context, filter: v.InferOutput<typeof filters>): Promise<Condition> {
  const {
    status,
    date_from,
    date_to,
    reference,
    late,
    undeliverable,
    unassigned,
    reported,
    contradicting,
    tag,
    ...same
  } = filter
  const { timeZone } = accountOf(context).business
  const from = date_from === undefined ? undefined : startOfDay(date_from, timeZone)
  const to = date_to === undefined ? undefined : endOfDay(date_to, timeZone)
  const now = zonedIso(context.clock(), timeZone).slice(0, 16)
  const ids = [
    ...(status === undefined ? [] : [statusIds(context, status)]),
    ...(undeliverable ? [[statuses.FAILED.id]] : []),
    ...(unassigned ? [[statuses.NEW_ORDER.id]] : []),
  ]
  const visible = visibleWhere(context)
  const wanted: Row = { ...same, ...(reference !== undefined && { reference_key: searchKey(reference) }) }
  // Both have to match where a filter is about what decides who sees an order.
  const twice = Object.entries(wanted).filter(([column]) => Object.hasOwn(visible, column))
  return {
    where: { ...wanted, ...visible },
    among: {
      ...Object.fromEntries(twice.map(([column, cell]) => [column, [cell]])),
      ...hiddenColumns(context, Object.keys(filter)),
      ...(ids.length > 0 && { status: ids.reduce((all, some) => all.filter((id) => some.includes(id))) }),
      ...(undeliverable && { failed_reason: ['refused'] }),
      ...(unassigned && { driver_id: [null], broker_id: [null], provider: [null], route_id: [null] }),
      ...(tag !== undefined && { order_id: await taggedIds(context, tag) }),
    },
    between: {
      created_at: [from, to],
      ...(reported && { reported_by: anyBounds }),
      ...(contradicting && { contradicting: anyBounds }),
      // All of these are open, so they are found among the open orders, which are few. The narrowest bounds come last.
      ...(undeliverable && { open_due: anyBounds }),
      ...(unassigned && { open_due: dayBounds(now.slice(0, 10)) }),
      ...(late && { open_due: lateBounds(now) }),
    },
  }
}

/** What a caller is not shown finds nothing either: a filter must not tell it. */
function hiddenColumns(context: Context, names: readonly string[]): Readonly<Record<string, readonly Cell[]>> {
  const { reader } = viewOf(context)
  const fields: Readonly<Record<string, Field>> = orderTable.fields
  const hidden = names.some((name) => fields[aboutField(name)]?.shownTo.includes(reader) === false)
  return hidden ? { is_deleted: [] } : {}
}

/** The field that a filter tells of. */
function aboutField(name: string): string {
  if (name === 'tag') return 'tags'
  if (name === 'reported') return 'reported_by'
  return name === 'unassigned' ? 'driver_id' : name
}

/** The ids of all statuses that the caller sees as one of these. */
function statusIds(context: Context, filter: readonly string[]): readonly number[] {
  const wanted = filter.map(statusNamed)
  const names = Object.keys(statuses) as readonly Status[]
  return names.filter((name) => wanted.includes(statusFor(context, name))).map((name) => statuses[name].id)
}

async function taggedIds(context: Context, tag: string): Promise<readonly Cell[]> {
  const where = { business_id: accountOf(context).business.id, tag }
  const query = { where, newestFirst: true, limit: maxAmong, uncounted: true } as const
  const { rows } = await context.models.page(tagModel, query)
  return rows.map(({ order_id = null }) => order_id)
}
