import type { otlp } from '../../projections/otlp/index.ts'

/** Spans of a journey, as its document has them. */
export type JourneySpans = ReturnType<typeof otlp.project>

/** Sends spans of journeys to a receiver of traces. */
export interface Journeys {
  /** Resolves to whether they were taken; false if the receiver will never take them. Throws if they are to be sent again. */
  send(spans: JourneySpans): Promise<boolean>
  close(): Promise<void>
}
