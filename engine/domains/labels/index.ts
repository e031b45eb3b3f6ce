import type { Domain } from '../../kernel/domain.ts'
import { downloadShippingLabel } from './download.ts'
import { labelEventTypes } from './events.ts'
import { forgetLabel } from './forget.ts'
import { labelModel, labelNumberModel } from './label.ts'
import { manifestEventTypes, manifestModel } from './manifest.ts'
import { getManifestDocument } from './manifest-document.ts'
import { labelMessages } from './messages.ts'
import { cancelShippingLabel, createShippingLabel, getShippingDetail, quoteAndShip } from './operations.ts'
import { endOfDay, submitShippingInformation } from './submit.ts'

/** Labels that are bought from carriers, voided, and handed in. */
export const labelsDomain: Domain = {
  name: 'labels',
  messages: [labelMessages],
  events: { label: labelEventTypes, manifest: manifestEventTypes },
  readModels: [labelModel, labelNumberModel, manifestModel],
  operations: [
    createShippingLabel,
    quoteAndShip,
    getShippingDetail,
    downloadShippingLabel,
    cancelShippingLabel,
    endOfDay,
    submitShippingInformation,
    getManifestDocument,
    forgetLabel,
  ],
  erasures: ['LabelForgotten'],
  audited: { LabelForgotten: 'erasure' },
}
