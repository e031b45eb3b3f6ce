import * as v from 'valibot'
import { loadEntity, ownId, streamOf } from '../../entity/access.ts'
import type { Entity, Fields, StateOf, Values } from '../../entity/field.ts'
import { ownedByCells, readModelOf } from '../../entity/list.ts'
import { deciderOf, type MoveCommand } from '../../entity/machine.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { refusalCodes } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { id, recordedInstant, word } from '../../kernel/schemas.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { askCarrier, type CarrierRequest, dueWork, isAskedNow, workDeadline } from './ask-carrier.ts'
import { askingFields, askingMoves, hidden, shown } from './carrier-request.ts'
import { labelAppend, soldLabel } from './label.ts'
import { labelIds } from './named.ts'

/** The statuses of a manifest, and what each means. */
const statuses = {
  pending: 'The carrier is yet to close it.',
  closed: 'The carrier has closed it.',
  refused: 'The carrier has refused it; its labels are open again.',
} as const

const moves = {
  ask: { from: 'nothing', to: 'pending', event: 'ManifestAsked' },
  ...askingMoves('Manifest', ['pending']),
  close: { from: ['pending'], ignoredIn: 'others', to: 'closed', event: 'ManifestClosed' },
  refuse: { from: ['pending'], ignoredIn: 'others', to: 'refused', event: 'ManifestRefused' },
} as const

const fields = {
  manifest_id: {
    ...shown,
    about: 'Id of the manifest.',
    type: id,
    example: 1,
    set: { ask: 'engine', '*': 'repeated' },
    listed: 'column',
  },
  business_id: {
    ...hidden,
    about: 'Id of the business that hands the labels in.',
    type: id,
    example: 1,
    set: { ask: 'engine' },
    listed: 'key',
  },
  asked_by: {
    ...hidden,
    about: 'Id of the account that asked for it.',
    type: id,
    example: 7,
    set: { ask: { of: ({ by }: { readonly by: number }) => by } },
  },
  asked_at: {
    ...shown,
    about: 'When it was asked for: ISO 8601, in the time zone of the business.',
    type: recordedInstant,
    example: '2026-06-10T10:00:00.000Z',
    set: { ask: 'now' },
    listed: 'column',
  },
  carrier_account_id: {
    ...shown,
    about: 'Id of the account at the carrier.',
    type: id,
    example: 1,
    set: { ask: 'engine' },
    listed: 'filter',
    names: 'filter',
  },
  order_ids: { ...hidden, about: 'Ids of its label orders.', type: labelIds, example: [1, 2], set: { ask: 'engine' } },
  labels: {
    ...shown,
    about: 'Number of its labels.',
    type: v.number(),
    example: 2,
    set: {},
    of: ({ order_ids }: { readonly order_ids: readonly number[] }) => order_ids.length,
    always: true,
  },
  status: {
    ...shown,
    about: 'Status of the manifest.',
    type: v.picklist(Object.keys(statuses)),
    example: 'closed',
    set: {},
    listed: 'filter',
  },
  reference: {
    ...shown,
    about: 'What the carrier calls it.',
    type: word(200),
    example: 'M-1',
    set: { close: 'engine' },
    shownAs: 'manifest_reference',
  },
  refusal: {
    ...hidden,
    about: 'Why the carrier refused it.',
    type: v.strictObject({ code: v.picklist(refusalCodes), message: v.string() }),
    example: { code: 'other', message: 'It is closed for today.' },
    set: { refuse: 'engine' },
  },
  message: {
    ...shown,
    about: 'Why the carrier refused it, in its own words; its labels are open again.',
    type: v.string(),
    example: 'It is closed for today.',
    set: {},
    of: ({ refusal }: { readonly refusal?: { readonly message: string } }) => refusal?.message,
  },
  ...askingFields({ begins: ['ask'], ends: ['close', 'refuse'] }),
} as const satisfies Fields<keyof typeof moves>

/** A manifest: labels of one account at a carrier that are handed in together. */
export const manifest = {
  category: 'manifest',
  noun: 'manifest',
  id: 'manifest_id',
  statuses,
  moves,
  fields,
  missing: 'left out',
  readers: staff,
  access: ownedByCells((context) => ({ business_id: accountOf(context).business.id })),
  refusals: { missing: 'manifest_not_found', forbidden: 'manifest_not_closed', param: 'manifest' },
  listVersion: 2,
  indexes: [['is_waiting'], ['business_id'], ['carrier_account_id', 'is_waiting']],
  api: {
    tag: 'LabelService',
    path: '/api/v1/labelservice/manifests',
    many: 'manifests',
    read: { scope: 'labels:read', by: staff },
    write: { scope: 'labels:write' },
    list: {
      operation: 'list_manifests',
      summary: 'The manifests of the business, newest first: by status and account at a carrier.',
      shows: 'records',
    },
    get: {
      operation: 'get_manifest',
      summary: 'A manifest: how many labels it has, and whether its carrier has closed it.',
    },
  },
} as const satisfies Entity

/** A manifest as its events have left it. */
export type Manifest = StateOf<typeof manifest>

const manifests = deciderOf(manifest, {}, { try: isAskedNow })

/** Manifests, as callers name them by an id. */
export const manifestKind = { entity: manifest, decider: manifests }

/** What the id of a manifest names. */
export const manifestId = ownId(manifestKind)

/** When carriers are to be asked to close manifests. */
export const manifestModel = readModelOf(manifest)

/** What asks for a manifest of labels, to be recorded in one transaction. Refuses if one of them is not open. */
export async function manifestAppends(
  context: Context,
  command: Omit<MoveCommand, 'move'> & {
    readonly values: { readonly manifest_id: number; readonly order_ids: readonly number[] } & Values
  },
): Promise<readonly Append[]> {
  const { manifest_id, order_ids } = command.values
  const events = manifests.decide({ ...command, move: 'ask' }, undefined).map(toNewEvent(context))
  const ofLabels = order_ids.map((order) => labelAppend(context, order, 'ask_manifest', { manifest_id }))
  const stream = streamOf(manifest, manifest_id)
  return [{ stream, events, expected: 'no-stream' }, ...(await Promise.all(ofLabels)).flat()]
}

/** A manifest, if there is one. */
export function loadManifest(context: Pick<Context, 'store' | 'models'>, id: number): Promise<Manifest | undefined> {
  return loadEntity(context, manifestKind, id)
}

/** How a carrier is asked to close a manifest; the labels change with the manifest. */
const request: CarrierRequest<typeof manifest> = {
  ...manifestKind,
  isHarmless: true,
  ask: async (context, { carrier_account_id, order_ids }) => {
    const labels = (await Promise.all(order_ids.map((order) => soldLabel(context, order)))).flat()
    return context.ports.labels.ask(context, carrier_account_id, 'manifest', { labels }, workDeadline)
  },
  answered: (answer) => ['close', { reference: 'manifest' in answer ? answer.manifest.reference : '' }],
  refused: (refusal) => ['refuse', { refusal }],
  beside: async (context, move, { manifest_id, order_ids, reference: manifest_reference }) => {
    if (move !== 'close' && move !== 'refuse') return []
    const [step, values] =
      move === 'close'
        ? (['submit', { manifest_id, manifest_reference }] as const)
        : (['refuse_manifest', { manifest_id }] as const)
    return (await Promise.all(order_ids.map((order) => labelAppend(context, order, step, values)))).flat()
  },
}

/** Asks the carrier to close a manifest, if it is time and nobody else does. */
export function workOnManifest(context: Context, id: number): Promise<void> {
  return askCarrier(context, request, id)
}

/** Manifests whose carrier is to be asked before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueManifests = dueWork(manifestModel)
