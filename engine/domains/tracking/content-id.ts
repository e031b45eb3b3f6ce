import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf } from '../../kernel/time.ts'
import type { Location } from '../../kernel/timeline.ts'
import type { StoredEvent } from './events.ts'

/**
 * The id of an event that came without one, derived from subject, time, code, location and source, so that sending it
 * again creates no second event.
 */
export function contentId(stream: StreamName, event: Omit<StoredEvent, 'event_id'>): string {
  const { provider = '', type = '' } = event.source ?? {}
  return deriveId(
    stream,
    String(instantOf(event.occurred_at)),
    event.status_code,
    placeName(event.location),
    type,
    provider,
  )
}

function placeName(location: Location | undefined): string {
  const { gln, unlocode, name, latitude, longitude, address } = location ?? {}
  const point = latitude === undefined ? undefined : `${latitude},${longitude}`
  return gln ?? unlocode ?? name ?? point ?? address?.postal_code ?? address?.locality ?? ''
}
