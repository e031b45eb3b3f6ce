import * as v from 'valibot'
import { providerName } from '../../kernel/party.ts'
import { distinct, id, word } from '../../kernel/schemas.ts'
import { assignmentSources, maxPackages, reportedOutcomes } from './status.ts'

/** The member of the path that names an assignment. */
export const assignmentId = { assignment_id: v.pipe(id, v.description('Number of the assignment.')) }

const trackingNumber = v.pipe(word(60), v.description('Tracking number of a package.'))

/** The packages of an assignment. */
export const packages = v.pipe(
  v.array(trackingNumber),
  v.minLength(1),
  v.maxLength(maxPackages),
  distinct(),
  v.description('The tracking numbers of its packages.'),
)

/** The name of a provider. */
export const provider = v.pipe(
  providerName,
  v.description('Name of a provider that has a key of this business, or one of no business.'),
)

/** Who chose the provider. */
export const source = v.pipe(
  v.picklist(assignmentSources),
  v.description('Whether an automatic rule or a person chose the provider; manual where absent.'),
)

/** What has become of packages. */
export const reports = v.pipe(
  v.array(v.strictObject({ tracking_number: trackingNumber, outcome: v.picklist(reportedOutcomes) })),
  v.minLength(1),
  v.maxLength(maxPackages),
  v.description('What has become of packages; the others are still on their way.'),
)

/** Orders that were booked with the carrier. */
export const legs = v.pipe(
  v.array(
    v.strictObject({
      external_order_id: v.pipe(word(100), v.description('What the carrier calls this order.')),
      tracking_numbers: v.pipe(packages, v.description('The packages that travel on it; each on one alone.')),
    }),
  ),
  v.minLength(1),
  v.maxLength(maxPackages),
)
