import { judges as aftership } from './aftership/index.ts'
import { judges as amazon } from './amazon/index.ts'
import { inputs as amazonInputs } from './amazon/input.ts'
import { judges as bigcommerce } from './bigcommerce/index.ts'
import { inputs as bigcommerceInputs } from './bigcommerce/input.ts'
import { judges as epcis } from './epcis/index.ts'
import { judges as etsy } from './etsy/index.ts'
import { inputs as etsyInputs } from './etsy/input.ts'
import { judges as ics } from './ics/index.ts'
import type { Judge } from './judge.ts'
import { judges as magento } from './magento/index.ts'
import { inputs as magentoInputs } from './magento/input.ts'
import { judges as onerecord } from './onerecord/index.ts'
import { judges as osp } from './osp/index.ts'
import { judges as otlp } from './otlp/index.ts'
import { judges as sensorthings } from './sensorthings/index.ts'
import { judges as shopify } from './shopify/index.ts'
import { inputs as shopifyInputs } from './shopify/input.ts'
import { judges as ucp } from './ucp/index.ts'
import { judges as uncefact } from './uncefact/index.ts'
import { judges as walmart } from './walmart/index.ts'
import { inputs as walmartInputs } from './walmart/input.ts'
import { judges as woocommerce } from './woocommerce/index.ts'
import { inputs as woocommerceInputs } from './woocommerce/input.ts'

/** The list of judges, in the order of the formats. */
export const judges: readonly Judge[] = [
  ...epcis,
  ...onerecord,
  ...uncefact,
  ...otlp,
  ...sensorthings,
  ...ics,
  ...aftership,
  ...[...shopify, ...shopifyInputs],
  ...[...amazon, ...amazonInputs],
  ...[...walmart, ...walmartInputs],
  ...[...bigcommerce, ...bigcommerceInputs],
  ...[...magento, ...magentoInputs],
  ...[...woocommerce, ...woocommerceInputs],
  ...[...etsy, ...etsyInputs],
  ...ucp,
  ...osp,
]
