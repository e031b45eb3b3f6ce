import * as v from 'valibot'
import { named } from './named.ts'
import { refusing, refusingMember } from './schemas.ts'

const time = /^([01]\d|2[0-3]):[0-5]\d$/

const timeOfDay = v.pipe(
  v.string(),
  v.maxLength(5),
  refusing((value) => (time.test(value) ? undefined : 'not_a_time_of_day')),
  v.description('HH:MM, in the time zone of the business.'),
)

/** When on its day something may be done; it ends after it has begun. */
export const timeWindow = named(
  'TimeWindow',
  v.pipe(
    v.strictObject({ start: timeOfDay, end: timeOfDay }),
    refusingMember(({ start, end }) =>
      time.test(start) && time.test(end) && start >= end ? ['end', 'ends_before_start'] : undefined,
    ),
  ),
)
