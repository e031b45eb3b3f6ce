import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { DriverDutyChanged } from './driver.ts'

/** Which drivers are on or off duty, and since when; one row for each driver who has ever changed it. */
export const dutyModel = {
  name: 'driver_duty',
  version: 1,
  category: 'driver',
  columns: { driver_id: 'integer', business_id: 'integer', on_duty: 'integer', changed_at: 'text' },
  key: ['driver_id'],
  indexes: [['business_id', 'on_duty']],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<DriverDutyChanged>
    if (type !== 'DriverDutyChanged') return []
    const { driver_id, business_id, on_duty, at } = data
    return [{ driver_id, business_id, on_duty: on_duty ? 1 : 0, changed_at: at }]
  },
} as const satisfies ReadModel
