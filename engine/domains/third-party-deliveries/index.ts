import type { Domain } from '../../kernel/domain.ts'
import { assignThirdParty, reassignThirdParty } from './assign.ts'
import { assignmentModel } from './assignment-model.ts'
import { cancelThirdParty, handOverThirdParty } from './changes.ts'
import { thirdPartyEventTypes } from './events.ts'
import { thirdPartyMessages } from './messages.ts'
import { thirdPartyNoticeSource, thirdPartyNotices } from './notices.ts'
import { getThirdPartyDelivery, listProviderAssignments, listThirdPartyDeliveries } from './operations.ts'
import { bookProviderLegs, bookThirdPartyLegs, reportProviderPackages, reportThirdPartyPackages } from './outcomes.ts'

/** Orders that another provider delivers: who has which, and what has become of their packages. */
export const thirdPartyDeliveriesDomain: Domain = {
  name: 'third-party-deliveries',
  messages: [thirdPartyMessages],
  events: { third_party: thirdPartyEventTypes },
  operations: [
    assignThirdParty,
    listThirdPartyDeliveries,
    getThirdPartyDelivery,
    handOverThirdParty,
    bookThirdPartyLegs,
    reportThirdPartyPackages,
    cancelThirdParty,
    reassignThirdParty,
    listProviderAssignments,
    bookProviderLegs,
    reportProviderPackages,
  ],
  readModels: [assignmentModel],
  notices: thirdPartyNotices,
  noticeSources: [thirdPartyNoticeSource],
}
