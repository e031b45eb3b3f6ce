import type { Projection } from '../engine/index.ts'
import { aftership } from './aftership/index.ts'
import { amazon } from './amazon/index.ts'
import { bigcommerce } from './bigcommerce/index.ts'
import { epcis } from './epcis/index.ts'
import { etsy } from './etsy/index.ts'
import { ics } from './ics/index.ts'
import { magento } from './magento/index.ts'
import { onerecordWith } from './onerecord/index.ts'
import { osp } from './osp/index.ts'
import { otep } from './otep/index.ts'
import { otlp } from './otlp/index.ts'
import { sensorthings } from './sensorthings/index.ts'
import type { Expand } from './shared/jsonld-forms.ts'
import { shopify } from './shopify/index.ts'
import { ucp } from './ucp/index.ts'
import { uncefact } from './uncefact/index.ts'
import { walmart } from './walmart/index.ts'
import { woocommerce } from './woocommerce/index.ts'

/** The list of formats; the first is the default. `expand` writes linked data in full. */
export const formatsWith = (expand: Expand): readonly [Projection, ...Projection[]] => [
  otep,
  epcis,
  onerecordWith(expand),
  uncefact,
  otlp,
  sensorthings,
  ics,
  aftership,
  shopify,
  amazon,
  walmart,
  bigcommerce,
  magento,
  woocommerce,
  etsy,
  ucp,
  osp,
]
