import type { Domain } from '../../kernel/domain.ts'
import { downloadShippingLabel } from './download.ts'
import { labelEventShapes } from './events.ts'
import { followedNumberModel, labelNumberEventShapes } from './followed.ts'
import { forgetLabel, forgetPickup } from './forget.ts'
import { labelModel, labelNumberModel } from './label.ts'
import { manifestEventShapes, manifestModel } from './manifest.ts'
import { getManifestDocument } from './manifest-document.ts'
import { labelMessages } from './messages.ts'
import { cancelShippingLabel, createShippingLabel, getShippingDetail, quoteAndShip } from './operations.ts'
import { cancelPickup, getPickup, listPickups, requestPickup } from './pickups/operations.ts'
import { pickupEventShapes, pickupModel } from './pickups/pickup.ts'
import { receiveCarrierEvents } from './receive.ts'
import { endOfDay, submitShippingInformation } from './submit.ts'

/** Labels that are bought from carriers, voided, handed in, and picked up. */
export const labelsDomain: Domain = {
  name: 'labels',
  messages: [labelMessages],
  events: {
    ...{ label: labelEventShapes, label_number: labelNumberEventShapes, manifest: manifestEventShapes },
    pickup: pickupEventShapes,
  },
  readModels: [labelModel, labelNumberModel, followedNumberModel, manifestModel, pickupModel],
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
    ...[requestPickup, getPickup, listPickups, cancelPickup],
    ...[forgetLabel, forgetPickup],
  ],
  erasures: ['LabelForgotten', 'PickupForgotten'],
  audited: { LabelForgotten: 'erasure', PickupForgotten: 'erasure' },
}
