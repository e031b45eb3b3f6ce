import type { Domain } from '../../kernel/domain.ts'
import { downloadShippingLabel } from './download.ts'
import { labelEventTypes } from './events.ts'
import { followedNumberModel, labelNumberEventTypes } from './followed.ts'
import { forgetLabel } from './forget.ts'
import { labelModel, labelNumberModel } from './label.ts'
import { manifestEventTypes, manifestModel } from './manifest.ts'
import { getManifestDocument } from './manifest-document.ts'
import { labelMessages } from './messages.ts'
import { cancelShippingLabel, createShippingLabel, getShippingDetail, quoteAndShip } from './operations.ts'
import { receiveCarrierEvents } from './receive.ts'
import { endOfDay, submitShippingInformation } from './submit.ts'

/** Labels that are bought from carriers, voided, and handed in. */
export const labelsDomain: Domain = {
  name: 'labels',
  messages: [labelMessages],
  events: { label: labelEventTypes, label_number: labelNumberEventTypes, manifest: manifestEventTypes },
  readModels: [labelModel, labelNumberModel, followedNumberModel, manifestModel],
  operations: [
    createShippingLabel,
    quoteAndShip,
    getShippingDetail,
    downloadShippingLabel,
    cancelShippingLabel,
    endOfDay,
    submitShippingInformation,
    getManifestDocument,
    receiveCarrierEvents,
    forgetLabel,
  ],
  erasures: ['LabelForgotten'],
  audited: { LabelForgotten: 'erasure' },
}
