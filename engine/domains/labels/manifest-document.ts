import * as v from 'valibot'
import { loadOwn } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import type { ManifestRow } from '../../kernel/printed-label.ts'
import { id } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { type Label, labelKind } from './label.ts'
import { manifestId, manifestKind } from './manifest.ts'

/** Returns a manifest as a document. */
export const getManifestDocument = operation({
  name: 'get_manifest_document',
  summary: 'A closed manifest as a PDF in base64: a line for each parcel, and one to sign on.',
  scopes: ['labels:read'],
  roles: staff,
  risk: 'low',
  tag: 'LabelService',
  rest: { method: 'GET', path: '/api/v1/labelservice/manifests/{manifest_id}/document' },
  ids: { manifest_id: manifestId },
  file: 'document',
  input: v.strictObject({ manifest_id: v.pipe(id, v.description('A manifest_id of end_of_day.')) }),
  output: v.strictObject({
    result: v.literal(true),
    manifest_id: v.number(),
    manifest_reference: v.string(),
    media_type: v.literal('application/pdf'),
    document: v.pipe(v.string(), v.description('The document in base64.')),
  }),
  errors: ['manifest_not_found', 'manifest_not_closed', 'labels_unavailable'],
  handle: async (context, { manifest_id }) => {
    const { state } = await loadOwn(context, manifestKind, manifest_id)
    const { reference, order_ids, asked_at } = state
    if (reference === undefined) throw new EngineError('manifest_not_closed', { manifest: manifest_id })
    const labels = await Promise.all(order_ids.map((order) => loadOwn(context, labelKind, order)))
    const { business } = accountOf(context)
    const document = await context.printer.printManifest({
      ...{ reference, business: business.name, carrier: await carrierTitle(context, labels[0]?.state) },
      at: zonedIso(Date.parse(asked_at), business.timeZone),
      rows: labels.flatMap(({ state }) => rowsOf(state)),
    })
    return { result: true, manifest_id, manifest_reference: reference, media_type: 'application/pdf', document }
  },
})

async function carrierTitle(context: Context, label: Label | undefined): Promise<string> {
  if (label === undefined) return ''
  const { carrier, service } = label
  return (await context.ports.labels.wayOf(context, carrier, service)).carrierTitle
}

/** A row for each parcel of a label; without its place once its people are erased. */
function rowsOf({ to, label, parcels, reference = '' }: Label): readonly ManifestRow[] {
  const { postal_code = '', country = '' } = to ?? {}
  const numbers = label?.tracking_numbers ?? []
  return parcels.map(({ weight_grams }, index) => ({
    ...{ number: numbers[index] ?? numbers[0] ?? '', reference, weight_grams },
    destination: `${postal_code} ${country}`.trim(),
  }))
}
