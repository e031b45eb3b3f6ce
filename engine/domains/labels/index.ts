import type { Domain } from '../../kernel/domain.ts'
import { endOfDay } from './end-of-day.ts'
import { labelEventTypes } from './events.ts'
import { forgetLabel } from './forget.ts'
import { labelModel, labelNumberModel } from './label.ts'
import { manifestEventTypes, manifestModel } from './manifest.ts'
import { labelMessages } from './messages.ts'
import { cancelShippingLabel, createShippingLabel, getShippingDetail, quoteAndShip } from './operations.ts'

/** Labels that are bought from carriers, voided, and handed in. */
export const labelsDomain: Domain = {
  name: 'labels',
  messages: [labelMessages],
  events: { label: labelEventTypes, manifest: manifestEventTypes },
  readModels: [labelModel, labelNumberModel, manifestModel],
  operations: [createShippingLabel, quoteAndShip, getShippingDetail, cancelShippingLabel, endOfDay, forgetLabel],
  erasures: ['LabelForgotten'],
}
