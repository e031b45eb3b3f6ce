import type { Projection } from '../engine/index.ts'
import { aftership } from './aftership/index.ts'
import { amazon } from './amazon/index.ts'
import { bigcommerce } from './bigcommerce/index.ts'
import { epcis } from './epcis/index.ts'
import { etsy } from './etsy/index.ts'
import { magento } from './magento/index.ts'
import { onerecord } from './onerecord/index.ts'
import { otep } from './otep/index.ts'
import { otlp } from './otlp/index.ts'
import { sensorthings } from './sensorthings/index.ts'
import { shopify } from './shopify/index.ts'
import { uncefact } from './uncefact/index.ts'
import { walmart } from './walmart/index.ts'
import { woocommerce } from './woocommerce/index.ts'

/** THE LIST of formats; the first is the default. */
export const projections: readonly [Projection, ...Projection[]] = [
  otep,
  epcis,
  onerecord,
  uncefact,
  otlp,
  sensorthings,
  aftership,
  shopify,
  amazon,
  walmart,
  bigcommerce,
  magento,
  woocommerce,
  etsy,
]
