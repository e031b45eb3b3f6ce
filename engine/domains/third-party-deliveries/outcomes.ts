import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { given } from '../../kernel/party.ts'
import { carryOut } from './access.ts'
import { change, changed, refusals } from './changes.ts'
import type { BookedLeg, Report } from './events.ts'
import { assignmentId, legs, reports } from './input.ts'
import { family } from './operations.ts'

/** As staff call it, or a provider by the key that is bound to the business. */
const byProvider = { scopes: ['third_party:write'], risk: 'medium', ...family } as const

const reporting = {
  input: v.strictObject({ ...assignmentId, packages: reports }),
  output: changed,
  handle: report,
}
const reportRefusals = [...refusals, 'third_party_package_unknown', 'third_party_package_settled'] as const

const booking = {
  input: v.strictObject({ ...assignmentId, legs }),
  output: changed,
  handle: book,
}
const bookRefusals = [...refusals, 'third_party_package_unknown', 'third_party_leg_taken'] as const

/** Reports what has become of packages, by staff. */
export const reportThirdPartyPackages = operation({
  name: 'report_third_party_packages',
  summary: 'Record what has become of packages of an assignment. Once none is on its way, the assignment has ended.',
  ...change,
  ...reporting,
  errors: reportRefusals,
  rest: { method: 'POST', path: '/api/v1/third-party-deliveries/{assignment_id}/outcomes' },
})

/** Reports what has become of packages, by the provider. */
export const reportProviderPackages = operation({
  name: 'report_provider_packages',
  summary: 'For the key of a provider: report what has become of packages of an assignment.',
  ...byProvider,
  ...reporting,
  errors: [...reportRefusals, 'account_required'],
  rest: { method: 'POST', path: '/api/v1/provider/third-party-deliveries/{assignment_id}/outcomes' },
})

/** Books orders with the carrier, by staff. */
export const bookThirdPartyLegs = operation({
  name: 'book_third_party_legs',
  summary:
    'Record the orders that were booked with the carrier: one for each package where it takes no shipment of several pieces.',
  ...change,
  ...booking,
  errors: bookRefusals,
  rest: { method: 'POST', path: '/api/v1/third-party-deliveries/{assignment_id}/legs' },
})

/** Books orders with the carrier, by the provider. */
export const bookProviderLegs = operation({
  name: 'book_provider_legs',
  summary: 'For the key of a provider: report the orders that were booked with the carrier for an assignment.',
  ...byProvider,
  ...booking,
  errors: [...bookRefusals, 'account_required'],
  rest: { method: 'POST', path: '/api/v1/provider/third-party-deliveries/{assignment_id}/legs' },
})

interface Reported {
  readonly assignment_id: number
  readonly packages: readonly Report[]
}

async function report(context: Context, { assignment_id, packages }: Reported) {
  const { status } = await carryOut(context, { type: 'ReportPackages', assignment_id, ...given(context), packages })
  return { result: true, assignment_id, status }
}

interface Booked {
  readonly assignment_id: number
  readonly legs: readonly BookedLeg[]
}

async function book(context: Context, { assignment_id, legs }: Booked) {
  const { status } = await carryOut(context, { type: 'BookLegs', assignment_id, ...given(context), legs })
  return { result: true, assignment_id, status }
}
