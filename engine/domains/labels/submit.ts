import * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import { commandStamp } from '../../entity/operations.ts'
import { recordOf, recordSchemaOf } from '../../entity/record.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { type Answer, operation } from '../../kernel/operation.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { labelId, labelModel, loadLabels } from './label.ts'
import { loadManifest, manifest, manifestAppends, workOnManifest } from './manifest.ts'
import { labelIds, maxLabels } from './named.ts'

/** The most labels of one call. */
const maxInCall = 1000

const manifestRecord = recordSchemaOf(manifest, [], 'Manifest')

const common = { scopes: ['labels:write'], roles: staff, risk: 'high', tag: 'LabelService' } as const

/** Hands in all open labels. */
export const endOfDay = operation({
  ...common,
  name: 'end_of_day',
  summary:
    'Submit every open label order to its carrier, at most 1,000 in a call; one manifest for each account and 200 labels.',
  mcp: { title: 'End of day', hint: 'Submitted labels cannot be voided.' },
  rest: { method: 'POST', path: '/api/v1/labelservice/endofday' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    manifests: v.array(manifestRecord),
    left: v.pipe(v.number(), v.description('Open labels that are left for another call.')),
  }),
  errors: ['contention'],
  handle: (context) =>
    retryOnConflict(async () => {
      const where = { business_id: accountOf(context).business.id, status: 'LABEL_PURCHASED' }
      const { rows, total } = await context.models.page(labelModel, { where, limit: maxInCall })
      const open = rows.map((row) => [Number(row.carrier_account_id), Number(row.order_id)] as const)
      return { result: true, manifests: await askManifests(context, open), left: total - rows.length }
    }),
  settle: async (context, { manifests, left }) => ({ result: true, manifests: await worked(context, manifests), left }),
})

/** Hands in labels. */
export const submitShippingInformation = operation({
  ...common,
  name: 'submit_shipping_information',
  summary: 'Submit label orders to their carriers, at most 200 in a call; one manifest for each account.',
  mcp: { title: 'Submit labels', hint: 'Submitted labels cannot be voided.' },
  rest: { method: 'POST', path: '/api/v1/labelservice/submitShippingInformation' },
  ids: { 'order_ids.*': labelId },
  input: v.strictObject({
    order_ids: v.pipe(labelIds, v.description('Ids of label orders. If one of them is not open, none is submitted.')),
  }),
  output: v.strictObject({ result: v.literal(true), manifests: v.array(manifestRecord) }),
  errors: ['label_not_found', 'label_status_forbids', 'contention'],
  handle: (context, { order_ids }) =>
    retryOnConflict(async () => {
      const loaded = await loadLabels(context, order_ids)
      const labels = loaded.map(({ state }) => [state.carrier_account_id, state.order_id] as const)
      return { result: true, manifests: await askManifests(context, labels) }
    }),
  settle: async (context, { manifests }) => ({ result: true, manifests: await worked(context, manifests) }),
})

/** Records that labels are to be handed in, all in one transaction. */
async function askManifests(context: Context, labels: readonly (readonly [account: number, order: number])[]) {
  const groups = groupsOf(labels)
  if (groups.length === 0) return []
  const { business } = accountOf(context)
  const { first, append } = await nextNumbers(context, 'manifest', groups.length)
  const asked = groups.map(([carrier_account_id, order_ids], index) => ({
    ...commandStamp(context),
    values: { business_id: business.id, manifest_id: first + index, carrier_account_id, order_ids },
  }))
  const appends = await Promise.all(asked.map((one) => manifestAppends(context, one)))
  await context.store.appendMany([append, ...appends.flat()])
  return recordsOf(
    context,
    asked.map(({ values }) => values.manifest_id),
  )
}

/** Labels by account, at most as many in a group as a manifest has. */
function groupsOf(rows: readonly (readonly [account: number, order: number])[]) {
  const byAccount = new Map<number, number[]>()
  for (const [account, order] of rows) byAccount.set(account, [...(byAccount.get(account) ?? []), order])
  return [...byAccount].flatMap(([account, orders]) =>
    Array.from(
      { length: Math.ceil(orders.length / maxLabels) },
      (_, index) => [account, orders.slice(index * maxLabels, (index + 1) * maxLabels)] as const,
    ),
  )
}

async function worked(context: Context, manifests: unknown): Promise<readonly Answer[]> {
  const ids = (manifests as readonly v.InferOutput<typeof manifestRecord>[]).map(({ manifest_id }) => manifest_id)
  await Promise.all(ids.map((id) => workOnManifest(context, id)))
  return recordsOf(context, ids)
}

async function recordsOf(context: Context, ids: readonly number[]): Promise<readonly Answer[]> {
  const found = await Promise.all(ids.map((id) => loadManifest(context, id)))
  return found.flatMap((one) => (one === undefined ? [] : [recordOf(manifest, one, viewOf(context))]))
}
