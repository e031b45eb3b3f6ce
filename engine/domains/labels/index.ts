import type { Gives, Giving } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { operationsOf } from '../../entity/operations.ts'
import { getOperation, listOperation } from '../../entity/reading.ts'
import { getCustomsDocument } from './customs-document.ts'
import { downloadShippingLabel } from './download.ts'
import { labelFamily, labelFeed, labelTermFeed } from './family.ts'
import { followedNumberModel, labelNumberEventShapes } from './followed.ts'
import { buyLabelAgain, labelShipping } from './for-uniorders.ts'
import { forgetLabel, forgetPickup } from './forget.ts'
import { labelKind, labelModel, labelNumberModel } from './label.ts'
import { dueManifests, manifest, manifestKind, manifestModel, workOnManifest } from './manifest.ts'
import { getManifestDocument } from './manifest-document.ts'
import { labelMessages } from './messages.ts'
import { cancelShippingLabel, createShippingLabel, getShippingDetail, quoteAndShip } from './operations.ts'
import { payableLabel, payLabel } from './pay.ts'
import { duePickups, pickupMachine, workOnPickup } from './pickups/machine.ts'
import { pickupModel } from './pickups/pickup.ts'
import { pickup } from './pickups/table.ts'
import { receiveCarrierEvents } from './receive.ts'
import { endOfDay, submitShippingInformation } from './submit.ts'
import { label } from './table.ts'
import { labelRateEventShapes } from './used-rates.ts'
import { labelStatusChanges } from './webhook-events.ts'
import { dueLabels, isWaitedFor, workOnLabel } from './work.ts'

export { type Asked, askForScans, type DueNumber, dueNumbers, followLabel } from './follow.ts'
export { forgetLabel, forgetPickup } from './forget.ts'
export { dueManifests, workOnManifest } from './manifest.ts'
export type { LabelCode } from './messages.ts'
export { duePickups, workOnPickup } from './pickups/machine.ts'
export type { LabelPorts } from './ports.ts'
export { registerLabel } from './register.ts'
export { takeLabelReport } from './take-report.ts'
export { dueLabels, workOnLabel } from './work.ts'

/** What others get from here, by who needs it. */
const gives = {
  carriers: { isWaitedFor },
  uniorders: { label: labelShipping, buyLabelAgain },
} satisfies Gives

/** Labels that are bought from carriers, voided, handed in, and picked up. */
export const labelsDomain: Giving<typeof gives> = {
  gives,
  name: 'labels',
  orderFamily: labelFamily,
  webhookEventSources: [labelStatusChanges],
  feeds: { orders: labelFeed, order_terms: labelTermFeed },
  payable: payableLabel,
  tables: [label, manifest, pickup],
  messages: [labelMessages],
  events: {
    label: eventShapesOf(label),
    label_number: labelNumberEventShapes,
    label_rate: labelRateEventShapes,
    manifest: eventShapesOf(manifest),
    pickup: eventShapesOf(pickup),
  },
  readModels: [labelModel, labelNumberModel, followedNumberModel, manifestModel, pickupModel],
  deadlines: [
    { name: 'label', due: dueLabels, pass: workOnLabel, apart: 'carriers' },
    { name: 'manifest', due: dueManifests, pass: workOnManifest, apart: 'carriers' },
    { name: 'pickup', due: duePickups, pass: workOnPickup, apart: 'carriers' },
  ],
  operations: [
    createShippingLabel,
    quoteAndShip,
    getShippingDetail,
    downloadShippingLabel,
    getCustomsDocument,
    cancelShippingLabel,
    ...payLabel,
    listOperation(labelKind, labelModel, 'api'),
    ...getOperation(labelKind, 'api'),
    endOfDay,
    submitShippingInformation,
    listOperation(manifestKind, manifestModel, 'api'),
    ...getOperation(manifestKind, 'api'),
    getManifestDocument,
    receiveCarrierEvents,
    ...operationsOf(pickupMachine, pickupModel),
    ...[forgetLabel, forgetPickup],
  ],
  erasures: ['LabelForgotten', 'LabelRenumbered', 'PickupForgotten'],
  audited: { LabelForgotten: 'erasure', PickupForgotten: 'erasure' },
}
