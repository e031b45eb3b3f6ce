import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createGenerator } from 'ts-json-schema-generator'
import { inputJudges } from '../shop-input.ts'

/** The judges of what Etsy is sent: the payload as the types have it, which were generated from Etsy’s OpenAPI document. */
export const inputs = inputJudges('etsy', 'Etsy types (etsy-ts 8)', () => [
  {
    method: 'POST',
    path: '/v3/application/shops/([\\w-]+|\\{shop_id\\})/receipts/([\\w-]+|\\{receipt_id\\})/tracking',
    body: payloadSchema(),
  },
])

function payloadSchema(): object {
  const types = createRequire(import.meta.url).resolve('etsy-ts/package.json')
  const { definitions = {} } = createGenerator({
    path: join(types, '..', 'dist', 'api', 'data-contracts.d.ts'),
    type: 'ICreateReceiptShipmentPayload',
    skipTypeCheck: true,
    additionalProperties: false,
  }).createSchema('ICreateReceiptShipmentPayload')
  return definitions.ICreateReceiptShipmentPayload as object
}
